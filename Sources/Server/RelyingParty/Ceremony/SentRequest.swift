package import UAF

/// The request as the server sent it: a response is judged by it, never by what the response repeats.
package struct SentRequest: Hashable, Sendable {
    /// The application as the header named it; nil when the header left it to the client's FacetID.
    package let appID: AppID?
    /// The text that must come back; nil when none was sent.
    package let serverData: ServerData?
    package let challenge: ServerChallenge
    package let policy: Policy
    /// The exchange in which the client has asked for it; nil when it has named none.
    package let exchange: ServerBinding.ExchangeID?
    /// Whether the client got it by another way than a question of its own.
    package let isOutOfBand: Bool

    package init(
        appID: AppID?, serverData: ServerData?, challenge: ServerChallenge, policy: Policy,
        exchange: ServerBinding.ExchangeID? = nil, isOutOfBand: Bool = false
    ) {
        self.appID = appID
        self.serverData = serverData
        self.challenge = challenge
        self.policy = policy
        self.exchange = exchange
        self.isOutOfBand = isOutOfBand
    }
}
