import BackendAPI
import UAF

/// A request that was got for a token.
struct OutOfBandRedemption: Sendable {
    let request: OperationRequest
    /// When the request stops being valid, on the monotonic clock; nil when the server has not said.
    let expiry: Duration?
    /// The server that gave it; the answer goes there.
    let server: ServerAddress
    /// What the payload demands of the user beside the request.
    let linking: ChannelLinkingDemand?
}

extension LinkingDemand {
    /// The demand of a payload.
    init(_ demand: ChannelLinkingDemand) {
        self.init(digitCount: demand.length, shownDigits: demand.digits)
    }
}
