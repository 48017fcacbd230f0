import StrictJSON

extension GetUAFRequest: JSONCoded {
    public init(body: [UInt8]) throws(BackendAPIError) { self = try Self.read(body: body) }

    public var body: [UInt8] { JSONWriter.write(json) }

    init(json: JSONValue) throws(JSONTypeError) {
        let members = try json.asObject()
        self.init(
            operation: UAFOperation(rawValue: try members.string("op")),
            contextText: try members.optionalString("context"),
            previousRequest: try members.optionalString("previousRequest"))
    }

    var json: JSONValue {
        .object([
            "op": .string(operation.rawValue),
            "previousRequest": previousRequest.map(JSONValue.string),
            "context": contextText.map(JSONValue.string),
        ])
    }
}
