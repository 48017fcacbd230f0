package import UAF

/// A registration response that answers a request of this server, by server data, appID, facet and channel binding;
/// nothing else is proved.
///
/// From here on the challenge is consumed, whatever comes out. Only ``RegistrationVerification`` makes it.
package struct AddressedRegistration: Sendable {
    /// The request that is answered.
    package let offer: RegistrationOffer
    let received: ReceivedRegistration

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
/// From here on the challenge is consumed, whatever comes out. Only ``AuthenticationVerification`` makes it.
package struct AddressedAuthentication: Sendable {
    /// The request that is answered.
    package let offer: AuthenticationOffer
    let received: ReceivedAuthentication

    /// The keys to look up before judging, by KeyID alone: a KeyID of another model or user is an answer too.
    package var claimedCredentials: [CredentialID] { received.claimedCredentials }
}
