/// New passkey that was verified; only ``PasskeyVerification`` makes one.
package struct VerifiedPasskey: Hashable, Sendable {
    /// Proof about the authenticator that holds the key.
    package enum Attestation: String, Hashable, Sendable, CaseIterable {
        /// No proof: the model is a claim of the client.
        case none
        /// The key has signed; the model is a claim of its holder.
        case itself
        /// The maker has certified the authenticator.
        case certified
    }

    /// The record to store.
    package let record: PasskeyRecord
    package let attestation: Attestation
    /// Whether the key can be found without a name; nil when the client does not say.
    package let isDiscoverable: Bool?

    init(
        _ answer: RegistrationAnswer, _ object: AttestationObject, _ key: CredentialKey, _ attestation: Attestation,
        for user: PasskeyUser
    ) {
        let flags = object.report.flags
        record = PasskeyRecord(
            descriptor: CredentialDescriptor(id: object.credential.id, transports: answer.transports),
            user: user.handle, key: key, model: object.credential.model,
            isBackupEligible: flags.contains(.backupEligible), wasUserVerified: flags.contains(.userVerified),
            state: PasskeyRecord.State(
                signCounter: object.report.signCounter, isBackedUp: flags.contains(.backedUp)))
        self.attestation = attestation
        isDiscoverable = answer.isDiscoverable
    }
}

/// Sign-in with a passkey that was verified; only ``PasskeyVerification`` makes one.
package struct VerifiedPasskeyUse: Hashable, Sendable {
    /// The record with the state to write.
    package let record: PasskeyRecord
    /// Whether the authenticator has verified the user in this ceremony.
    package let isUserVerified: Bool

    init(of record: PasskeyRecord, _ report: AuthenticatorReport) {
        var record = record
        record.isBackupEligible = report.flags.contains(.backupEligible)
        record.state = PasskeyRecord.State(
            signCounter: report.signCounter, isBackedUp: report.flags.contains(.backedUp))
        self.record = record
        isUserVerified = report.flags.contains(.userVerified)
    }
}
