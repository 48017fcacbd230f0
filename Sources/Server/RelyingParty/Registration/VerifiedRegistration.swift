package import UAF

/// New credentials that may be stored; only ``RegistrationVerification`` makes it.
package struct VerifiedRegistration: Sendable {
    /// One proved key.
    package struct Credential: Sendable {
        /// Data that the authenticator signed: model, KeyID, counters, version, extensions.
        package let data: KeyRegistrationData
        /// The public key with the algorithm to record.
        package let key: VerificationKey
        /// Type of the attestation that vouches for the key.
        package let attestation: AttestationType
        /// Codings of a PNG that its display takes, where the authenticator stated them itself.
        package let displayCharacteristics: [DisplayPNGCharacteristics]
        /// Whether the authenticator is older than its metadata trusts.
        package let isIncreasedRisk: Bool
        /// Its place in the answer, from 0.
        package let assertion: Int

        /// Model and key.
        package var id: CredentialID { data.credential }
    }

    /// Owner of the credentials: the user the request was made for.
    package let account: AccountReference
    /// The challenge that is consumed with it.
    package let challenge: ServerChallenge
    /// The credentials to store, at least one.
    package let credentials: [Credential]
    /// Refusals of the assertions of the response that were skipped.
    package let skipped: [RelyingPartyError]
}
