/// What is inside an out-of-band payload (`backend-http-api` 2.6.1).
public struct OutOfBandContent: MessageBody {
    /// The token to redeem; a secret until it is redeemed.
    public let token: String
    /// Where to redeem it, an absolute address.
    public let redeemURL: String
    /// How the person links the two screens; nil when nothing links them.
    public let channelLinking: ChannelLinkingDemand?
    /// What the initiator added for the application.
    public let attributes: PayloadAttributes

    /// A token, where to redeem it, and what goes with it.
    public init(
        token: String, redeemURL: String, channelLinking: ChannelLinkingDemand? = nil,
        attributes: PayloadAttributes = .none
    ) {
        self.token = token
        self.redeemURL = redeemURL
        self.channelLinking = channelLinking
        self.attributes = attributes
    }
}
