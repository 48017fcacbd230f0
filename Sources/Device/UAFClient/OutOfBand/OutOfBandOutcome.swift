package import UAF

/// Result of redeeming a token.
package enum OutOfBandOutcome: Sendable {
    /// The server waits for the answer to a registration.
    case registration(RegistrationRequest, OutOfBandRedemption)
    /// The server waits for the answer to an authentication.
    case authentication(AuthenticationRequest, OutOfBandRedemption)
    /// The server has removed registrations, and those that it named are gone here as well.
    case deregistered
}

/// Circumstances of a request that was received for a token.
package struct OutOfBandRedemption: Sendable {
    /// Expiry of the request on the monotonic clock; nil when the server has not said.
    package let expiry: Duration?
    /// The server that gave it; the answer goes there.
    package let server: ServerAddress
    /// Channel linking that the payload demands beside the request.
    package let linking: LinkingDemand?
    /// Channel binding data of the connection that the request came over.
    package private(set) var channelBinding = ChannelBinding()

    init(expiry: Duration?, server: ServerAddress, linking: LinkingDemand?) {
        self.expiry = expiry
        self.server = server
        self.linking = linking
    }

    fileprivate func over(_ channelBinding: ChannelBinding) -> OutOfBandRedemption {
        var redemption = self
        redemption.channelBinding = channelBinding
        return redemption
    }
}

extension OutOfBandOutcome {
    package func over(_ channelBinding: ChannelBinding) -> OutOfBandOutcome {
        switch self {
        case .registration(let request, let redemption): .registration(request, redemption.over(channelBinding))
        case .authentication(let request, let redemption): .authentication(request, redemption.over(channelBinding))
        case .deregistered: .deregistered
        }
    }
}

/// Failure on the path from a payload to an operation; the public errors are made from it.
package enum OutOfBandFailure: Error {
    /// Operation that the application does not take.
    package struct Unhandled: Hashable, Sendable {
        /// The builder method that was not called; nil for an operation that none takes.
        package let handler: String?

        package init(handler: String?) { self.handler = handler }
    }

    /// No payload, or one that points to a server that this device does not know.
    case malformed(any Error)
    /// None of the keys of this device opens it.
    case undecryptable((any Error)?)
    /// The token has expired (status 1408).
    case tokenExpired
    /// The token was redeemed before (status 1491).
    case alreadyRedeemed
    case unhandled(Unhandled)
    case ceremony(CeremonyFailure)
}
