/// What a request service answers (`backend-http-api` 1.4).
public struct ReturnUAFRequest: MessageBody {
    /// UAF status code; 1200 when there is a request.
    public let statusCode: Int
    /// The UAF message, a JSON array as text; only with status 1200.
    public let uafRequest: String?
    /// The operation of the message, a hint.
    public let operation: UAFOperation?
    /// How long the request may be answered, in milliseconds.
    public let lifetimeMillis: Int64?

    /// An answer that carries a request.
    public init(uafRequest: String, operation: UAFOperation, lifetimeMillis: Int64? = nil) {
        self.init(statusCode: 1200, uafRequest: uafRequest, operation: operation, lifetimeMillis: lifetimeMillis)
    }

    /// An answer without a request: a refusal, or a deregistration with nothing left to remove (1200).
    public init(statusCode: Int) {
        self.init(statusCode: statusCode, uafRequest: nil, operation: nil, lifetimeMillis: nil)
    }

    init(statusCode: Int, uafRequest: String?, operation: UAFOperation?, lifetimeMillis: Int64?) {
        self.statusCode = statusCode
        self.uafRequest = uafRequest
        self.operation = operation
        self.lifetimeMillis = lifetimeMillis
    }
}
