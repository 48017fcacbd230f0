package import UAF

/// A registration response that answers a request of this server, by server data, appID, facet and channel binding;
/// nothing else is proved.
///
/// From here on the challenge is consumed, whatever comes out. Only ``RegistrationVerification`` makes it. It is a
/// reference, because request and response are wide and pass through all of the judging.
package final class AddressedRegistration: Sendable {
    package let offer: RegistrationOffer
    let received: ReceivedRegistration

    init(offer: consuming RegistrationOffer, received: consuming ReceivedRegistration) {
        self.offer = offer
        self.received = received
    }

    /// The keys to look up before judging; some user may have registered them already.
    package var claimedCredentials: [CredentialID] { received.claimedCredentials }

    /// Whether an assertion carries attestation certificates, so that judging takes the asynchronous entry point.
    package var needsCertificatePaths: Bool {
        received.assertions.contains { (try? $0.get().attestation.type) == .basicFull }
    }
}

/// An authentication response that answers a request of this server, by server data, appID, facet and channel binding;
/// nothing else is proved.
///
/// From here on the challenge is consumed, whatever comes out. Only ``AuthenticationVerification`` makes it. It is a
/// reference, because request and response are wide and pass through all of the judging.
package final class AddressedAuthentication: Sendable {
    package let offer: AuthenticationOffer
    let received: ReceivedAuthentication

    init(offer: consuming AuthenticationOffer, received: consuming ReceivedAuthentication) {
        self.offer = offer
        self.received = received
    }

    /// The keys to look up before judging, by KeyID alone: a KeyID of another model or user is an answer too.
    package var claimedCredentials: [CredentialID] { received.claimedCredentials }
}
