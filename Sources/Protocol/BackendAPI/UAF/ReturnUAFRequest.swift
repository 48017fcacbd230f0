import StrictJSON
public import UAF

/// Response of a request service.
///
/// Members, limits and errors: `docs/web/http-api.md`.
public struct ReturnUAFRequest: MessageBody {
    /// UAF status code; 1200 when there is a request.
    public let statusCode: StatusCode
    /// The UAF message, a JSON array as text; only with status 1200.
    public let uafRequest: String?
    /// The operation of the message, a hint; nil also when it is none that UAF has.
    public let operation: OperationKind?
    /// Lifetime of the request, in milliseconds.
    public let lifetimeMillis: Int64?

    /// An answer that carries a request.
    public init(uafRequest: String, operation: OperationKind, lifetimeMillis: Int64? = nil) {
        self.init(statusCode: .ok, uafRequest: uafRequest, operation: operation, lifetimeMillis: lifetimeMillis)
    }

    /// An answer without a request: a refusal, or a deregistration with nothing left to remove (1200).
    public init(statusCode: StatusCode) {
        self.init(statusCode: statusCode, uafRequest: nil, operation: nil, lifetimeMillis: nil)
    }

    init(statusCode: StatusCode, uafRequest: String?, operation: OperationKind?, lifetimeMillis: Int64?) {
        self.statusCode = statusCode
        self.uafRequest = uafRequest
        self.operation = operation
        self.lifetimeMillis = lifetimeMillis
    }
}

extension ReturnUAFRequest: StrictBody {
    init(json: JSONValue) throws(JSONTypeError) {
        let members = try json.asObject()
        let lifetime = try members.optionalInteger("lifetimeMillis", as: Int64.self)
        if let lifetime, lifetime < 0 { throw JSONTypeError(path: ["lifetimeMillis"], .outOfRange) }
        self.init(
            statusCode: StatusCode(rawValue: try members.integer("statusCode")),
            uafRequest: try members.optionalString("uafRequest"),
            operation: try members.optionalString("op").flatMap(OperationKind.init(rawValue:)),
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
