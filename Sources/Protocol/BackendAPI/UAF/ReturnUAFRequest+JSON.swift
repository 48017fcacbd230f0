import StrictJSON
import UAF

extension ReturnUAFRequest: StrictlyCoded {
    /// Reads a body.
    ///
    /// Throws ``BackendAPIError/malformedBody(offset:)`` or ``BackendAPIError/invalidMember(path:)``.
    public init(body: [UInt8]) throws(BackendAPIError) { self = try Self.read(body: body) }

    /// The UTF-8 text of the document, without white space.
    public var body: [UInt8] { JSONWriter.write(json) }

    init(json: JSONValue) throws(JSONTypeError) {
        let members = try json.asObject()
        let lifetime = try members.optionalInteger("lifetimeMillis", as: Int64.self)
        if let lifetime, lifetime < 0 { throw JSONTypeError(path: ["lifetimeMillis"], .outOfRange) }
        self.init(
            statusCode: StatusCode(rawValue: try members.integer("statusCode")),
            uafRequest: try members.optionalString("uafRequest"),
            operation: try members.optionalString("op").flatMap(Operation.init(rawValue:)),
            lifetimeMillis: lifetime)
    }

    var json: JSONValue {
        .object([
            "statusCode": .integer(statusCode.rawValue),
            "uafRequest": uafRequest.map(JSONValue.string),
            "op": (operation?.rawValue).map(JSONValue.string),
            "lifetimeMillis": lifetimeMillis.map { .integer($0) },
        ])
    }
}
