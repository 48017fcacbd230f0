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

    /// An answer with a status and, on success, tokens.
    public init(statusCode: StatusCode, description: String? = nil, additionalTokens: [Token] = []) {
        self.init(
            statusCode: statusCode, description: description, additionalTokens: additionalTokens, location: nil,
            postData: nil, newUAFRequest: nil)
    }

    init(
        statusCode: StatusCode, description: String?, additionalTokens: [Token], location: String?, postData: String?,
        newUAFRequest: String?
    ) {
        self.statusCode = statusCode
        self.description = description
        self.additionalTokens = additionalTokens
        self.location = location
        self.postData = postData
        self.newUAFRequest = newUAFRequest
    }

    /// The first token of a type, nil when there is none.
    public func token(_ type: TokenType) -> String? {
        additionalTokens.first { $0.type == type }?.value
    }
}
