import StrictJSON

/// Request to the response services.
///
/// Members, limits and errors: `docs/web/http-api.md`.
///
/// ```swift
/// let response = SendUAFResponse(uafResponse: message, context: ResponseContext(userAgent: "Bank/2.1"))
/// let sent = response.body  // To `Endpoint.authenticationResponse`.
///
/// let received = try ServerResponse(body: answer)
/// let token = received.statusCode == .ok ? received.token(.jwt) : nil
/// ```
public struct SendUAFResponse: MessageBody {
    /// The UAF message, a JSON array as text; its parts are hashed as sent, so it is never written anew.
    public let uafResponse: String
    /// The text of the context; read it with ``context()``.
    public let contextText: String?

    /// A response and, if there is something to tell, its context.
    public init(uafResponse: String, context: ResponseContext? = nil) {
        self.init(uafResponse: uafResponse, contextText: context?.text)
    }

    init(uafResponse: String, contextText: String?) {
        self.uafResponse = uafResponse
        self.contextText = contextText
    }

    /// The context, an empty one when the client sent none.
    ///
    /// Throws ``BackendAPIError/unreadableContext(path:)``.
    public func context() throws(BackendAPIError) -> ResponseContext {
        guard let contextText else { return ResponseContext() }
        return try ResponseContext(text: contextText)
    }
}

extension SendUAFResponse: StrictBody {
    init(json: JSONValue) throws(JSONTypeError) {
        let members = try json.asObject()
        self.init(
            uafResponse: try members.string("uafResponse"), contextText: try members.optionalString("context"))
    }

    var json: JSONValue {
        .object(["uafResponse": .string(uafResponse), "context": contextText.map(JSONValue.string)])
    }
}
