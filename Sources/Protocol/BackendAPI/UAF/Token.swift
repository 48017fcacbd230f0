import StrictJSON

/// One token that a server hands out after it accepted a response.
///
/// The value is a secret: it must not reach logs or errors.
public struct Token: Sendable {
    /// What kind of token it is.
    public let type: TokenType
    /// The token itself.
    public let value: String

    /// A token of a type.
    public init(type: TokenType, value: String) {
        self.type = type
        self.value = value
    }
}

extension Token: StrictlyCoded {
    init(json: JSONValue) throws(JSONTypeError) {
        let members = try json.asObject()
        self.init(type: TokenType(rawValue: try members.string("type")), value: try members.string("value"))
    }

    var json: JSONValue { .object(["type": .string(type.rawValue), "value": .string(value)]) }
}
