import StrictJSON

extension SendUAFResponse: JSONCoded {
    public init(body: [UInt8]) throws(BackendAPIError) { self = try Self.read(body: body) }

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
