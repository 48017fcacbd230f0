/// What came of bringing a token to a device (`backend-http-api` 2.2).
public struct DispatchAnswer: MessageBody {
    /// How the dispatching ended.
    public let result: DispatchResult
    /// The token, for channel binding; nil when nothing was dispatched.
    public let token: String?
    /// The identifier for the status service; nil when nothing was dispatched.
    public let sessionID: String?
    /// What the dispatcher answered; nil when none was asked.
    public let dispatcherInformation: DispatcherInformation?
    /// What the initiator has to show; nil when nothing links the screens.
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
        self.token = token
        self.sessionID = sessionID
        self.dispatcherInformation = dispatcherInformation
        self.channelLinking = channelLinking
    }
}

/// How a dispatching ended; results we do not know survive reading.
public struct DispatchResult: RawRepresentable, Hashable, Sendable {
    /// The spelling on the wire.
    public let rawValue: String

    /// Takes any spelling.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The token was handed to the delivery service, or the link or picture was made.
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

/// What a dispatcher answered.
public struct DispatcherInformation: Hashable, Sendable {
    /// The dispatcher that was used.
    public let name: DispatcherName
    /// The link, the picture (PNG in base64), or what the push service answered.
    public let response: String

    /// The answer of a dispatcher.
    public init(name: DispatcherName, response: String) {
        self.name = name
        self.response = response
    }
}
