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
