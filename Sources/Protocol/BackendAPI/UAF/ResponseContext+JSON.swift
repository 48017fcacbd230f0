import StrictJSON

extension ResponseContext: JSONCoded {
    /// Reads the text of a `context` member.
    ///
    /// Throws ``BackendAPIError/unreadableContext(path:)``.
    public init(text: String) throws(BackendAPIError) { self = try Self.read(context: text) }

    /// The text for a `context` member.
    public var text: String { JSONWriter.text(json) }

    init(json: JSONValue) throws(JSONTypeError) {
        let members = try json.asObject()
        self.init(
            asmStatusCode: try members.optionalInteger("asmStatusCode"),
            clientErrorCode: try members.optionalInteger("clientErrorCode"),
            userAgent: try members.optionalString("userAgent"))
    }

    var json: JSONValue {
        .object([
            "asmStatusCode": asmStatusCode.map { .integer($0) },
            "clientErrorCode": clientErrorCode.map { .integer($0) },
            "userAgent": userAgent.map(JSONValue.string),
        ])
    }
}
