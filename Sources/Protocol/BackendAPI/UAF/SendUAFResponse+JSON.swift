import StrictJSON

extension SendUAFResponse: StrictlyCoded {
    /// Reads a body.
    ///
    /// Throws ``BackendAPIError/malformedBody(offset:)`` or ``BackendAPIError/invalidMember(path:)``.
    public init(body: [UInt8]) throws(BackendAPIError) { self = try Self.read(body: body) }

    /// The UTF-8 text of the document, without white space.
    public var body: [UInt8] { JSONWriter.write(json) }

    init(json: JSONValue) throws(JSONTypeError) {
        let members = try json.asObject()
        self.init(
            uafResponse: try members.string("uafResponse"), contextText: try members.optionalString("context"))
    }

    var json: JSONValue {
        .object(["uafResponse": .string(uafResponse), "context": contextText.map(JSONValue.string)])
    }
}
