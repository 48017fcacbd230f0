import StrictJSON

extension ErrorBody: StrictlyCoded {
    /// Reads a body.
    ///
    /// Throws ``BackendAPIError/malformedBody(offset:)`` or ``BackendAPIError/invalidMember(path:)``.
    public init(body: [UInt8]) throws(BackendAPIError) { self = try Self.read(body: body) }

    /// The text of the document; characters that a browser could take for markup are escaped.
    public var body: [UInt8] { JSONWriter.write(json, escapesMarkup: true) }

    init(json: JSONValue) throws(JSONTypeError) {
        let members = try json.asObject()
        self.init(
            timestampText: try members.optionalString("timestamp"),
            status: try members.integer("status"),
            error: try members.optionalString("error"),
            code: try members.optionalString("code").map(ErrorCode.init(rawValue:)),
            message: try members.optionalString("message"),
            path: try members.optionalString("path"),
            traceID: try members.optionalString("traceId"))
    }

    var json: JSONValue {
        .object([
            "timestamp": timestamp.map(JSONValue.string),
            "status": .integer(status),
            "error": error.map(JSONValue.string),
            "code": (code?.rawValue).map(JSONValue.string),
            "message": message.map(JSONValue.string),
            "path": path.map(JSONValue.string),
            "traceId": traceID.map(JSONValue.string),
        ])
    }
}
