import StrictJSON

/// The context that the conformance tool sends to `/get` (`assurance` 3.1).
///
/// The tool has one context for all operations; the server turns it into the operation's own.
public struct ConformanceContext: Sendable {
    /// The user.
    public let username: String?
    /// A text to confirm.
    public let transaction: String?
    /// The authenticator model to deregister; the server checks its form before it uses it.
    public let deregisterAAID: String?
    /// Whether everything is to be deregistered.
    public let deregisterAll: Bool

    /// A context.
    public init(
        username: String?, transaction: String? = nil, deregisterAAID: String? = nil, deregisterAll: Bool = false
    ) {
        self.username = username
        self.transaction = transaction
        self.deregisterAAID = deregisterAAID
        self.deregisterAll = deregisterAll
    }
}

extension ConformanceContext: JSONCoded {
    /// Reads the text of a `context` member.
    ///
    /// Throws ``BackendAPIError/unreadableContext(path:)``.
    public init(text: String) throws(BackendAPIError) { self = try Self.read(context: text) }

    /// The text for a `context` member.
    public var text: String { JSONWriter.text(json) }

    init(json: JSONValue) throws(JSONTypeError) {
        let members = try json.asObject()
        self.init(
            username: try members.optional("username") { value throws(JSONTypeError) in try value.asUserName() },
            transaction: try members.optionalString("transaction"),
            deregisterAAID: try members.optionalString("deregisterAAID"),
            deregisterAll: try members.optional("deregisterAll") { value throws(JSONTypeError) in
                try value.asBool()
            } ?? false)
    }

    var json: JSONValue {
        .object([
            "username": username.map(JSONValue.string),
            "transaction": transaction.map(JSONValue.string),
            "deregisterAAID": deregisterAAID.map(JSONValue.string),
            "deregisterAll": deregisterAll ? .bool(true) : nil,
        ])
    }
}
