public import UAF

/// What a response service answers (`backend-http-api` 1.4).
public struct ServerResponse: MessageBody {
    /// How it went; 1200 when the response was accepted.
    public let statusCode: StatusCode
    /// A text for people who diagnose.
    public let description: String?
    /// What authorises the user from now on; a client never stores it.
    public let additionalTokens: [Token]
    /// Where to navigate after the tokens were handled; not used by our client.
    public let location: String?
    /// What to post to `location`; not used by our client.
    public let postData: String?
    /// A fresh or follow-up UAF request.
    public let newUAFRequest: String?
    /// The dispatch target that the registration made or found; nil from servers that make none.
    public let dispatchTarget: CreatedDispatchTarget?

    /// An answer with a status and, on success, tokens and the device's dispatch target.
    public init(
        statusCode: StatusCode, description: String? = nil, additionalTokens: [Token] = [],
        dispatchTarget: CreatedDispatchTarget? = nil
    ) {
        self.init(
            statusCode: statusCode, description: description, additionalTokens: additionalTokens,
            followUp: (location: nil, postData: nil, newUAFRequest: nil), dispatchTarget: dispatchTarget)
    }

    init(
        statusCode: StatusCode, description: String?, additionalTokens: [Token],
        followUp: (location: String?, postData: String?, newUAFRequest: String?),
        dispatchTarget: CreatedDispatchTarget?
    ) {
        self.statusCode = statusCode
        self.description = description
        self.additionalTokens = additionalTokens
        (location, postData, newUAFRequest) = followUp
        self.dispatchTarget = dispatchTarget
    }

    /// The first token of a type, nil when there is none.
    public func token(_ type: TokenType) -> String? {
        additionalTokens.first { $0.type == type }?.value
    }
}
