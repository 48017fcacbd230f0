import StrictJSON

extension GetUAFRequest: StrictlyCoded {
    /// Reads a body.
    ///
    /// Throws ``BackendAPIError/malformedBody(offset:)`` or ``BackendAPIError/invalidMember(path:)``.
    public init(body: [UInt8]) throws(BackendAPIError) { self = try Self.read(body: body) }

    /// The UTF-8 text of the document, without white space.
    public var body: [UInt8] { JSONWriter.write(json) }

    init(json: JSONValue) throws(JSONTypeError) {
        let members = try json.asObject()
        self.init(
            operationName: try members.string("op"),
            contextText: try members.optionalString("context"),
            previousRequest: try members.optionalString("previousRequest"))
    }

    var json: JSONValue {
        .object([
            "op": .string(operationName),
            "previousRequest": previousRequest.map(JSONValue.string),
            "context": contextText.map(JSONValue.string),
        ])
    }
}
