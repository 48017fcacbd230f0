package import UAF

/// The key of a system that may begin ceremonies and ask for their end; only its hash is in the configuration's values.
package struct AccessKey: Sendable, Hashable {
    /// Allowed length of a key in bytes: shorter ones could be guessed.
    package static let byteCounts = 32...512

    /// Name of the system in the audit.
    package let name: AccessKeyName
    package let hash: AccessKeyHash
    package var rights = AccessKeyRights()

    /// Takes the text of a key; nil when its length is not allowed.
    package init?(name: AccessKeyName, key: String) {
        guard Self.byteCounts.contains(key.utf8.count) else { return nil }
        self.name = name
        hash = AccessKeyHash(of: key.utf8)
    }
}

/// The name of an access key in the configuration: 1 to 64 of the characters A-Z, a-z, 0-9, `.`, `_`, `-`.
package struct AccessKeyName: Sendable, Hashable, CustomStringConvertible {
    /// The name; ASCII, so that `==` compares bytes.
    package let text: String

    package init?(_ text: String) {
        guard let name = PolicyName(text) else { return nil }
        self.text = name.text
    }

    package var description: String { text }
}

/// Scope of an access key: the services that it opens.
///
/// A key without scopes in the configuration has ``standard``.
package enum AccessKeyScope: String, Sendable, Hashable, CaseIterable {
    /// `POST /api/v1/users/enroll`.
    case enroll
    /// `POST /api/v1/approval`.
    case approve
    /// `POST /api/v1/status`, and the result of `POST /status`.
    case status
    /// `POST /api/v1/introspect`.
    case introspect
    /// `GET /api/v1/users`, `GET /api/v1/users/{userId}`.
    case readUsers = "users:read"
    /// `PATCH` and `DELETE /api/v1/users/{userId}`.
    case writeUsers = "users:write"
    /// `PATCH` and `DELETE /api/v1/authenticators/{authenticatorId}`.
    case writeAuthenticators = "authenticators:write"
    /// `POST /api/v1/users/recover`: the holder of the key begins recoveries of each account that it reaches.
    case recover
    /// The services of tokens and dispatch below `/nevisfido` and `/_app` for authentications, and the list of targets.
    case dispatch
    /// The services of tokens and dispatch for authentications only.
    case dispatchAuthentication = "dispatch:authentication"
    /// The services for registrations: the holder of the key gets a phone into each account that it reaches.
    case dispatchRegistration = "dispatch:registration"
    case dispatchDeregistration = "dispatch:deregistration"
    /// The administration API, in one role each, and nothing of the other services.
    case viewer = "admin:viewer"
    case helpDesk = "admin:help-desk"
    case auditor = "admin:auditor"
    case `operator` = "admin:operator"

    /// Scopes of a key for which none are configured.
    package static let standard: Set<AccessKeyScope> = [.dispatch, .status]

    /// Scopes that open nothing of the relying-party API.
    package static let ofDispatch: Set<AccessKeyScope> = [
        .dispatch, .dispatchAuthentication, .dispatchRegistration, .dispatchDeregistration,
    ]

    /// Scope of the tokens of an operation.
    package static func dispatch(_ operation: OperationKind) -> AccessKeyScope {
        switch operation {
        case .registration: .dispatchRegistration
        case .authentication: .dispatchAuthentication
        case .deregistration: .dispatchDeregistration
        }
    }

    /// Role in the administration; nil for the other services.
    package var role: AdministrationRole? {
        switch self {
        case .viewer: .viewer
        case .helpDesk: .helpDesk
        case .auditor: .auditor
        case .operator: .operator
        default: nil
        }
    }

    /// Whether it opens what a key needs another scope for.
    package func covers(_ other: AccessKeyScope) -> Bool {
        self == other || (self, other) == (.dispatch, .dispatchAuthentication)
    }
}

/// Rights of an access key.
package struct AccessKeyRights: Sendable, Hashable {
    package var scopes: Set<AccessKeyScope> = AccessKeyScope.standard
    /// Limit on the requests with the key, from whatever address.
    package var limit = RateLimit(perSecond: 100, burst: 500)

    package init() {}

    /// Roles in the administration.
    package var roles: Set<AdministrationRole> { Set(scopes.compactMap(\.role)) }
}
