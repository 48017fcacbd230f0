package import UAF

/// A proof that a user's own keys have signed for a request; only ``AuthenticationVerification`` makes it.
package struct VerifiedAuthentication: Sendable {
    /// One key that has signed.
    package struct Use: Sendable {
        /// The credential, by its act of registration.
        package let registration: RegistrationReference
        /// The counter the store had; the new one may be written only over this one.
        package let previousSignCounter: UInt32
        /// Data that the authenticator signed: counter, version, mode, extensions.
        package let data: SignedData
        /// Whether the authenticator is older than its metadata trusts.
        package let isIncreasedRisk: Bool
        /// Its place in the answer, from 0.
        package let assertion: Int

        /// Model and key.
        package var id: CredentialID { data.credential }
    }

    /// The owner of every key in ``uses``; the user of the request when it named one.
    package let account: AccountReference
    /// The challenge that is consumed with it.
    package let challenge: ServerChallenge
    /// The keys that have signed, at least one.
    package let uses: [Use]
    /// SHA-256 of the rendering that the user confirmed; nil when there was nothing to confirm.
    package let confirmedTransaction: [UInt8]?
    /// Refusals of the assertions of the response that were skipped.
    package let skipped: [RelyingPartyError]
}
