import Octets
import StrictJSON

/// Request of an initiator to create a token and dispatch it to a device.
///
/// Members, limits and errors: `docs/web/http-api.md`.
///
/// ```swift
/// let login = GetUAFRequest(AuthenticationContext(username: username))
/// let dispatch = DispatchRequest(
///     login, dispatcher: .firebaseCloudMessaging, dispatchTargetID: targetID,
///     dispatchInformation: DispatchInformation(title: "Bank", text: "Confirm the sign-in"),
///     channelLinking: .typed)
/// let body = dispatch.body  // To `Endpoint.dispatchToken(.authentication)`.
/// ```
public struct DispatchRequest: MessageBody {
    /// Request for the UAF message that the redemption of the token returns.
    public let request: GetUAFRequest
    /// Requested dispatcher; nil for the one that the target prefers.
    public let dispatcher: DispatcherName?
    /// The identifier of the device's dispatch target; nil for a link or a QR code that any device may read.
    public let dispatchTargetID: String?
    /// Data sent along with the token; nil for none.
    public let dispatchInformation: DispatchInformation?
    /// Requested channel linking; nil for the server's policy.
    public let channelLinking: ChannelLinkingMethod?
    /// Session of the initiating system that asks, 1 to 256 characters; nil when it does not tell sessions apart.
    ///
    /// Of the links and codes that a system has begun for a user, a new one takes the place of the one of the same session
    /// only.
    public let initiatorSession: String?

    /// A token to make and bring to a device.
    public init(
        _ request: GetUAFRequest, dispatcher: DispatcherName? = nil, dispatchTargetID: String? = nil,
        dispatchInformation: DispatchInformation? = nil, channelLinking: ChannelLinkingMethod? = nil,
        initiatorSession: String? = nil
    ) {
        self.request = request
        self.dispatcher = dispatcher
        self.dispatchTargetID = dispatchTargetID
        self.dispatchInformation = dispatchInformation
        self.channelLinking = channelLinking
        self.initiatorSession = initiatorSession
    }
}

extension DispatchRequest: StrictBody {
    init(json: JSONValue) throws(JSONTypeError) {
        let members = try json.asObject()
        self.init(
            try members.required("getUafRequest", GetUAFRequest.init(json:)),
            dispatcher: try members.optionalString("dispatcher").map(DispatcherName.init(rawValue:)),
            dispatchTargetID: try members.optionalString("dispatchTargetId"),
            dispatchInformation: try members.optional("dispatchInformation", DispatchInformation.init(json:)),
            channelLinking: try members.optional("channelLinking") { value throws(JSONTypeError) in
                try value.asObject().required("mode", ChannelLinkingMethod.init(json:))
            },
            initiatorSession: try members.optional("initiatorSession") { value throws(JSONTypeError) in
                try value.asString(scalarCount: 1...256)
            })
    }

    var json: JSONValue {
        .object([
            "dispatchTargetId": dispatchTargetID.map(JSONValue.string),
            "dispatcher": (dispatcher?.rawValue).map(JSONValue.string),
            "dispatchInformation": dispatchInformation?.json,
            "channelLinking": channelLinking.map { .object(["mode": $0.json]) },
            "initiatorSession": initiatorSession.map(JSONValue.string), "getUafRequest": request.json,
        ])
    }
}

/// Response to the dispatch of a token.
///
/// Members, limits and errors: `docs/web/http-api.md`.
public struct DispatchAnswer: MessageBody {
    /// Result of the dispatch.
    public let result: DispatchResult
    /// The token, for channel binding; nil when nothing was dispatched.
    public var token: String? { sensitiveToken?.reveal() }
    private let sensitiveToken: Sensitive<String>?
    /// The identifier for the status service; nil when nothing was dispatched.
    public let sessionID: String?
    /// Response of the dispatcher; nil when none was asked.
    public let dispatcherInformation: DispatcherInformation?
    /// Digits that the initiator has to show; nil when nothing links the screens.
    public let channelLinking: ShownChannelLinking?

    /// A token that was dispatched.
    public init(
        token: String, sessionID: String, dispatcherInformation: DispatcherInformation,
        channelLinking: ShownChannelLinking? = nil
    ) {
        self.init(
            result: .dispatched, token: token, sessionID: sessionID, dispatcherInformation: dispatcherInformation,
            channelLinking: channelLinking)
    }

    /// Nothing was dispatched.
    public init(failed result: DispatchResult) {
        self.init(result: result, token: nil, sessionID: nil, dispatcherInformation: nil, channelLinking: nil)
    }

    init(
        result: DispatchResult, token: String?, sessionID: String?, dispatcherInformation: DispatcherInformation?,
        channelLinking: ShownChannelLinking?
    ) {
        self.result = result
        sensitiveToken = token.map(Sensitive.init)
        self.sessionID = sessionID
        self.dispatcherInformation = dispatcherInformation
        self.channelLinking = channelLinking
    }
}

/// Result of a dispatch; unknown values survive decoding.
public struct DispatchResult: RawRepresentable, Hashable, Sendable {
    /// The spelling on the wire.
    public let rawValue: String

    /// Accepts spellings that this version does not know.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The token was handed to the delivery service, or the link or image was made.
    public static let dispatched = DispatchResult(rawValue: "dispatched")
    /// The delivery service did not take it, or the target lacks what the dispatcher needs.
    public static let dispatchError = DispatchResult(rawValue: "dispatchError")
    /// The delivery service no longer knows the device.
    public static let dispatchTargetExpired = DispatchResult(rawValue: "dispatchTargetExpired")
    /// There is no such target, or it is another user's.
    public static let dispatchTargetNotFound = DispatchResult(rawValue: "dispatchTargetNotFound")
    /// No such dispatcher is configured.
    public static let dispatcherNotFound = DispatchResult(rawValue: "dispatcherNotFound")
    /// There is no such user.
    public static let userNotFound = DispatchResult(rawValue: "userNotFound")
    /// The server failed.
    public static let internalError = DispatchResult(rawValue: "internalError")
}

extension DispatchAnswer: StrictBody {
    init(json: JSONValue) throws(JSONTypeError) {
        let members = try json.asObject()
        self.init(
            result: DispatchResult(rawValue: try members.string("dispatchResult")),
            token: try members.optionalString("token"), sessionID: try members.optionalString("sessionId"),
            dispatcherInformation: try members.optional("dispatcherInformation", DispatcherInformation.init(json:)),
            channelLinking: try members.optional("channelLinking", ShownChannelLinking.init(json:)))
    }

    var json: JSONValue {
        .object([
            "dispatchResult": .string(result.rawValue), "token": token.map(JSONValue.string),
            "sessionId": sessionID.map(JSONValue.string), "dispatcherInformation": dispatcherInformation?.json,
            "channelLinking": channelLinking?.json,
        ])
    }
}
