package import UAF

/// Authorization that came with a request.
package enum RequestAuthorization: Sendable, Hashable {
    case absent
    /// A token or cookie that does not hold: forged, expired, unknown, ended, made with a key that is removed or
    /// disabled, or of a user who is locked or deleted.
    case invalid
    /// A token or cookie that holds.
    case granted(Login)

    /// Statement of a valid token or cookie.
    package struct Login: Sendable, Hashable {
        package let user: User
        package let methods: Set<AuthenticationMethod>
        package let evidence: Evidence
        /// The session of the cookie that was sent; nil for a token.
        package let session: CookieHash?

        package init(
            user: User, methods: Set<AuthenticationMethod>, evidence: Evidence, session: CookieHash? = nil
        ) {
            self.user = user
            self.methods = methods
            self.evidence = evidence
            self.session = session
        }
    }

    /// The proof behind a login, judged again whenever something is granted on the strength of it.
    ///
    /// It holds while its user is active, ``authenticatedAt`` is not before the user's ``User/notBefore``, and one of
    /// ``registrations`` is an active credential of the user, not disabled since, or a passkey of the user; where
    /// ``isForFirstKey``, while the user has neither.
    package struct Evidence: Sendable, Hashable {
        /// Registrations that are remembered of one login; one has to be active, so that fewer are the safe side.
        package static let registrationLimit = 4

        /// Time of the authentication: whole seconds for a token of another issuer, rounded down.
        package let authenticatedAt: Timestamp
        /// The registrations whose keys have signed, at most ``registrationLimit``; none for a login without a key.
        package let registrations: [RegistrationID]
        /// Whether it is good for the first key of a user only: a password, where a second key asks for more.
        package let isForFirstKey: Bool
        /// Whether it holds only while the user has no stronger method and has removed none since: for changes to the methods
        /// themselves, where there are passkeys.
        package let mustBeStrongest: Bool

        package init(
            authenticatedAt: Timestamp, registrations: [RegistrationID] = [], isForFirstKey: Bool = false,
            mustBeStrongest: Bool = false
        ) {
            self.authenticatedAt = authenticatedAt
            self.registrations = Array(registrations.prefix(Self.registrationLimit))
            self.isForFirstKey = isForFirstKey
            self.mustBeStrongest = mustBeStrongest
        }

        /// Whether the user may still use a login of this time; the registrations are the database's to judge.
        package func isTimely(for user: User) -> Bool {
            user.status == .active && authenticatedAt >= user.notBefore
        }
    }
}

extension RequestAuthorization.Login {
    /// The same login with evidence that holds on further conditions.
    func limited(toFirstKey isForFirstKey: Bool = false, toStrongest: Bool = false) -> RequestAuthorization.Login {
        let limited = RequestAuthorization.Evidence(
            authenticatedAt: evidence.authenticatedAt, registrations: evidence.registrations,
            isForFirstKey: isForFirstKey || evidence.isForFirstKey,
            mustBeStrongest: toStrongest || evidence.mustBeStrongest)
        return RequestAuthorization.Login(user: user, methods: methods, evidence: limited, session: session)
    }
}

extension ServerSnapshot {
    /// Whether a login of a user holds, by the rule of ``RequestAuthorization/Evidence``.
    package func holds(
        _ evidence: RequestAuthorization.Evidence, of user: User
    ) throws(ServerTransactionFailure) -> Bool {
        guard evidence.isTimely(for: user), try hasKey(behind: evidence, of: user.id) else { return false }
        // What was removed before is judged where the login is taken up.
        if evidence.mustBeStrongest,
            try obstacle(to: evidence, of: user.id, at: evidence.authenticatedAt, wait: .milliseconds(1)) != nil
        {
            return false
        }
        guard evidence.isForFirstKey else { return true }
        return try credentialCount(of: user.id) + passkeyCount(of: user.id) == 0
    }

    /// Method of a user that is stronger than the weakest key behind a login; see ``AccountStrength/obstacle(to:at:wait:)``.
    func obstacle(
        to evidence: RequestAuthorization.Evidence, of user: UserID, at now: Timestamp, wait: Duration
    ) throws(ServerTransactionFailure) -> AccountStrength.Obstacle? {
        var weakest: Assurance?
        for id in evidence.registrations {
            guard let credential = try credential(registeredAs: id) else { continue }
            weakest = min(weakest ?? .chipWithPIN, Assurance(credential.protection))
        }
        return try strength(of: user).obstacle(to: weakest, at: now, wait: wait)
    }

    /// Time up to which what was begun for a user has ended.
    ///
    /// An invitation to register ends also with a key of the user that is disabled. Other answers are signed by a key, and prove
    /// anew who gives them.
    package func end(of operation: OperationKind, for user: User) throws(ServerTransactionFailure) -> Timestamp {
        guard operation == .registration else { return user.notBefore }
        return user.authenticationTime(at: user.notBefore, with: try holder(user.id)?.credentials ?? [])
    }
}

extension ServerTransaction {
    /// Whether a grant holds.
    ///
    /// The user is then locked until the transaction ends, so that two requests of one user, or a request and what ends
    /// its login, come one after the other.
    package func lock(_ grant: RequestAuthorization.Login) throws(ServerTransactionFailure) -> Bool {
        guard let user = try lockUser(grant.user.id), try holds(grant.evidence, of: user) else { return false }
        guard let session = grant.session else { return true }
        return try hasSession(session)
    }
}

extension RequestAuthorization.Evidence {
    private static let timeByteCount = 8
    private static let firstKeyMark: UInt8 = 1
    private static let strongestMark: UInt8 = 2

    /// The form to store: the time in milliseconds, big-endian, the identifiers one after the other, and behind them a sum of
    /// marks for its conditions, if there are any; a server that does not know a mark refuses it.
    package var octets: [UInt8] {
        let marks = (isForFirstKey ? Self.firstKeyMark : 0) | (mustBeStrongest ? Self.strongestMark : 0)
        let bits = UInt64(bitPattern: authenticatedAt.milliseconds)
        let time = (0..<Self.timeByteCount).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * UInt64($0))) }
        return time + RegistrationID.joined(registrations) + (marks == 0 ? [] : [marks])
    }

    package init?(stored octets: some Collection<UInt8>) {
        var rest = Array(octets.dropFirst(Self.timeByteCount))
        let marks = rest.count % RegistrationID.byteCount == 1 ? rest.removeLast() : nil
        guard octets.count >= Self.timeByteCount, (1...3).contains(marks ?? 1),
            let ids = RegistrationID.list(joined: rest), ids.count <= Self.registrationLimit
        else { return nil }
        let bits = octets.prefix(Self.timeByteCount).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        self.init(
            authenticatedAt: Timestamp(milliseconds: Int64(bitPattern: bits)), registrations: ids,
            isForFirstKey: (marks ?? 0) & Self.firstKeyMark != 0,
            mustBeStrongest: (marks ?? 0) & Self.strongestMark != 0)
    }
}

extension OpaqueID {
    package static func joined(_ ids: [OpaqueID]) -> [UInt8] { ids.flatMap(\.octets) }

    package static func list(joined octets: some Collection<UInt8>) -> [OpaqueID]? {
        let bytes = Array(octets)
        guard bytes.count.isMultiple(of: byteCount) else { return nil }
        return stride(from: 0, to: bytes.count, by: byteCount).compactMap { OpaqueID(bytes[$0..<$0 + byteCount]) }
    }
}
