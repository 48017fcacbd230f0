/// A registered passkey as the store has it (credential record, section 4).
package struct PasskeyRecord: Hashable, Sendable {
    /// Name of the credential, and the ways to its authenticator.
    package let descriptor: CredentialDescriptor
    /// Handle of the user it belongs to.
    package let user: [UInt8]
    package let key: CredentialKey
    /// Model of the authenticator, as far as ``VerifiedPasskey/attestation`` proves it.
    package let model: AAGUID
    /// Whether the key may be on several devices (backup eligibility); it never changes once it is known.
    ///
    /// Nil for a key that another server has registered without it, until the first sign-in here.
    package internal(set) var isBackupEligible: Bool?
    /// Whether the user was verified when the key was made.
    package let wasUserVerified: Bool
    package var state: State

    package init(
        descriptor: CredentialDescriptor, user: [UInt8], key: CredentialKey, model: AAGUID, isBackupEligible: Bool?,
        wasUserVerified: Bool, state: State
    ) {
        self.descriptor = descriptor
        self.user = user
        self.key = key
        self.model = model
        self.isBackupEligible = isBackupEligible
        self.wasUserVerified = wasUserVerified
        self.state = state
    }

    /// Part of a record that every sign-in writes anew (section 7.2, step 24).
    package struct State: Hashable, Sendable {
        /// Counter of signatures; 0 when the authenticator does not count.
        package let signCounter: UInt32
        /// Whether the key is on several devices now (backup state).
        package let isBackedUp: Bool

        package init(signCounter: UInt32, isBackedUp: Bool) {
            self.signCounter = signCounter
            self.isBackedUp = isBackedUp
        }
    }
}
