/// What a client sends to get a UAF request: the body of the three request services (`backend-http-api` 1.4).
public struct GetUAFRequest: MessageBody {
    /// The operation asked for.
    public let operation: UAFOperation
    /// A request that has expired; servers accept and ignore it.
    public let previousRequest: String?
    /// The text of the context, a JSON document of its own; read it with ``context(as:)``.
    public let contextText: String?

    /// A request for `context`'s operation.
    public init(_ context: some RequestContext, previousRequest: String? = nil) {
        self.init(operation: type(of: context).operation, contextText: context.text, previousRequest: previousRequest)
    }

    /// A request with a context that has been written already.
    public init(operation: UAFOperation, contextText: String?, previousRequest: String? = nil) {
        self.operation = operation
        self.contextText = contextText
        self.previousRequest = previousRequest
    }

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
