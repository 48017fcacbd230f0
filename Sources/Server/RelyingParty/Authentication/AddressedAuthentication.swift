package import UAF

/// An authentication response that answers a request of this server (checks 1 to 7); nothing else is proved.
///
/// From here on the challenge is consumed, whatever comes out. Only ``AuthenticationVerification`` makes it.
package struct AddressedAuthentication: Sendable {
    /// The request that is answered.
    package let offer: AuthenticationOffer
    let received: ReceivedAuthentication

    /// The keys to look up before judging, by KeyID alone: a KeyID of another model or user is an answer too.
    package var claimedCredentials: [CredentialID] { received.claimedCredentials }
}
