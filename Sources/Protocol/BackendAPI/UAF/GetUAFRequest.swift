import StrictJSON
public import UAF

/// Request for a UAF message: the body of the three request services.
///
/// Members, limits and errors: `docs/web/http-api.md`.
///
/// ```swift
/// let request = GetUAFRequest(AuthenticationContext(username: username))
/// let sent = request.body  // To `Endpoint.authenticationRequest`.
///
/// let received = try ReturnUAFRequest(body: answer)
/// let message = received.statusCode == .ok ? received.uafRequest : nil
/// ```
public struct GetUAFRequest: MessageBody {
    /// Requested operation as spelled on the wire; UAF may have none of that name.
    public let operationName: String
    /// A request that has expired; servers accept and ignore it.
    public let previousRequest: String?
    /// The text of the context, a separate JSON document; read it with ``context(as:)``.
    public let contextText: String?

    /// A request for `context`'s operation.
    public init(_ context: some RequestContext, previousRequest: String? = nil) {
        self.init(
            operationName: type(of: context).operation.rawValue, contextText: context.text,
            previousRequest: previousRequest)
    }

    init(operationName: String, contextText: String?, previousRequest: String?) {
        self.operationName = operationName
        self.contextText = contextText
        self.previousRequest = previousRequest
    }

    /// Requested operation; nil when UAF has none of that name.
    public var operation: OperationKind? { OperationKind(rawValue: operationName) }

    /// The context of the operation that `type` belongs to.
    ///
    /// Throws ``BackendAPIError/unexpectedOperation`` when the request asks for another operation and
    /// ``BackendAPIError/unreadableContext(path:)`` when there is no context or it cannot be read.
    public func context<Context: RequestContext>(
        as type: Context.Type = Context.self
    ) throws(BackendAPIError) -> Context {
        guard operation == Context.operation else { throw .unexpectedOperation }
        guard let contextText else { throw .unreadableContext(path: []) }
        return try Context(text: contextText)
    }
}

extension GetUAFRequest: StrictBody {
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
