import StrictJSON

extension AuthenticationContext: JSONCoded {
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
            transactions: try members.optional("transaction") { value throws(JSONTypeError) in
                try value.asArray { element throws(JSONTypeError) in try TransactionContent(json: element) }
            } ?? [],
            policy: try members.optionalString("policy"))
    }

    var json: JSONValue {
        .object([
            "username": username.map(JSONValue.string),
            "transaction": transactions.isEmpty ? nil : .array(transactions.map(\.json)),
            "policy": policy.map(JSONValue.string),
        ])
    }
}
