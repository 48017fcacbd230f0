/// What an initiator sends to have a token made and brought to a device (`backend-http-api` 2.2).
public struct DispatchRequest: MessageBody {
    /// The request that the token stands for.
    public let request: GetUAFRequest
    /// How to bring it; nil for the way that the target prefers.
    public let dispatcher: DispatcherName?
    /// The identifier of the device's dispatch target; nil for a link or a QR code that any device may read.
    public let dispatchTargetID: String?
    /// What travels along; nil for nothing.
    public let dispatchInformation: DispatchInformation?
    /// How the two screens are linked; nil for what the server's policy says.
    public let channelLinking: ChannelLinkingMode?
    /// Names the session of the initiating system that asks, 1 to 256 characters; nil when it tells sessions not apart.
    ///
    /// Of the links and codes that a system has begun for a user, a new one takes the place of that of the same session
    /// only.
    public let initiatorSession: String?

    /// A token to make and bring to a device.
    public init(
        _ request: GetUAFRequest, dispatcher: DispatcherName? = nil, dispatchTargetID: String? = nil,
        dispatchInformation: DispatchInformation? = nil, channelLinking: ChannelLinkingMode? = nil,
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
