package import UAF

/// New credentials that may be stored; only ``RegistrationVerification`` makes it.
package struct VerifiedRegistration: Sendable {
    /// One proved key.
    package struct Credential: Sendable {
        /// What the authenticator stated and signed: model, KeyID, counters, version, extensions.
        package let data: KeyRegistrationData
        /// The public key with the algorithm to record.
        package let key: VerificationKey
        /// How the key was vouched for.
        package let attestation: AttestationType
        /// How pictures for its display must be coded, when it said so itself.
        package let displayCharacteristics: [DisplayPNGCharacteristics]
        /// Whether the authenticator is older than its metadata trusts.
        package let isIncreasedRisk: Bool
        /// Its place in the answer, from 0.
        package let assertion: Int

        /// Model and key.
        package var id: CredentialID { data.credential }
    }

    /// Who the credentials belong to: the user the request was made for.
    package let account: AccountReference
    /// The challenge that is consumed with it.
    package let challenge: ServerChallenge
    /// The credentials to store, at least one.
    package let credentials: [Credential]
    /// Why other assertions of the answer were passed over.
    package let skipped: [RelyingPartyError]
}
