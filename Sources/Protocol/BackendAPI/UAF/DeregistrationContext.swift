import Octets
import StrictJSON
public import UAF

/// Context of a deregistration request.
public struct DeregistrationContext: RequestContext {
    /// The operation whose request carries this context.
    public static let operation = OperationKind.deregistration

    /// Selection of the user's credentials that are to be removed.
    public enum Scope: Sendable {
        /// Every credential of the user, on all devices (mode `username`).
        case everything
        /// Every credential of these authenticator models (mode `aaid`).
        case models([AAID])
        /// Exactly these keys (mode `key`).
        case keys([CredentialID])
    }

    /// The user whose credentials are meant; nil when the authorization of the request says it.
    public let username: UserName?
    /// Selection of the credentials.
    public let scope: Scope

    /// Names the credentials to remove and, unless the authorization does, the user.
    public init(username: UserName? = nil, scope: Scope) {
        self.username = username
        self.scope = scope
    }
}

extension DeregistrationContext: StrictContext {
    init(json: JSONValue) throws(JSONTypeError) {
        let members = try json.asObject()
        self.init(
            username: try members.optional("username") { value throws(JSONTypeError) in try value.asUserName() },
            scope: try Scope(mode: try members.string("mode"), members))
    }

    var json: JSONValue {
        var members: JSONObject = ["username": (username?.text).map(JSONValue.string)]
        switch scope {
        case .everything:
            members.append("mode", .string("username"))
        case .models(let aaids):
            members.append("mode", .string("aaid"))
            members.append("aaids", .array(aaids.map { .string($0.text) }))
        case .keys(let keys):
            members.append("mode", .string("key"))
            members.append("authenticators", .array(keys.map(Self.json)))
        }
        return .object(members)
    }

    private static func json(_ key: CredentialID) -> JSONValue {
        .object(["aaid": .string(key.aaid.text), "keyID": .string(key.keyID.base64URL)])
    }
}

extension DeregistrationContext.Scope {
    fileprivate init(mode: String, _ members: JSONObject) throws(JSONTypeError) {
        if mode.hasSameOctets(as: "username") {
            self = .everything
        } else if mode.hasSameOctets(as: "aaid") {
            self = .models(try Self.aaids(members))
        } else if mode.hasSameOctets(as: "key") {
            self = .keys(
                try members.required("authenticators") { value throws(JSONTypeError) in
                    try value.asNonEmptyArray { element throws(JSONTypeError) in try Self.key(element) }
                })
        } else {
            throw JSONTypeError(path: ["mode"], .outOfRange)
        }
    }

    /// The list of models, under any of the three names that clients in the field use.
    private static func aaids(_ members: JSONObject) throws(JSONTypeError) -> [AAID] {
        for name in ["aaids", "aaid"] {
            let aaids = try members.optional(name) { value throws(JSONTypeError) -> [AAID] in
                try value.asNonEmptyArray { element throws(JSONTypeError) in try element.asAAID() }
            }
            if let aaids { return aaids }
        }
        return try members.required("authenticators") { value throws(JSONTypeError) in
            try value.asNonEmptyArray { element throws(JSONTypeError) -> AAID in
                try element.asObject().required("aaid") { value throws(JSONTypeError) in try value.asAAID() }
            }
        }
    }

    private static func key(_ value: JSONValue) throws(JSONTypeError) -> CredentialID {
        try CredentialID(try value.asObject(), keyID: "keyID")
    }
}
