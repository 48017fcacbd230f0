import StrictJSON
public import UAF

/// Response of a response service.
///
/// Members, limits and errors: `docs/web/http-api.md`.
public struct ServerResponse: MessageBody {
    /// UAF status code; 1200 when the UAF response was accepted.
    public let statusCode: StatusCode
    /// Diagnostic text.
    public let description: String?
    /// Tokens that authorise the user from now on; a client never stores them.
    public let additionalTokens: [Token]
    /// URL to navigate to after the tokens were handled; not used by our client.
    public let location: String?
    /// Data to post to `location`; not used by our client.
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

extension ServerResponse: StrictBody {
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
