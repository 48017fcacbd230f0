import StrictJSON
import UAF

extension ServerResponse: StrictlyCoded {
    /// Reads a body.
    ///
    /// Throws ``BackendAPIError/malformedBody(offset:)`` or ``BackendAPIError/invalidMember(path:)``.
    public init(body: [UInt8]) throws(BackendAPIError) { self = try Self.read(body: body) }

    /// The UTF-8 text of the document, without white space.
    public var body: [UInt8] { JSONWriter.write(json) }

    init(json: JSONValue) throws(JSONTypeError) {
        let members = try json.asObject()
        self.init(
            statusCode: StatusCode(rawValue: try members.integer("statusCode")),
            description: try members.optionalString("description"),
            additionalTokens: try members.optional("additionalTokens") { value throws(JSONTypeError) in
                try value.asArray { element throws(JSONTypeError) in try Token(json: element) }
            } ?? [],
            followUp: (
                location: try members.optionalString("location"), postData: try members.optionalString("postData"),
                newUAFRequest: try members.optionalString("newUAFRequest")
            ),
            dispatchTarget: try members.optional("dispatchTarget", CreatedDispatchTarget.init(json:)))
    }

    var json: JSONValue {
        .object([
            "statusCode": .integer(statusCode.rawValue),
            "description": description.map(JSONValue.string),
            "additionalTokens": additionalTokens.isEmpty ? nil : .array(additionalTokens.map(\.json)),
            "location": location.map(JSONValue.string),
            "postData": postData.map(JSONValue.string),
            "newUAFRequest": newUAFRequest.map(JSONValue.string),
            "dispatchTarget": dispatchTarget?.json,
        ])
    }
}
