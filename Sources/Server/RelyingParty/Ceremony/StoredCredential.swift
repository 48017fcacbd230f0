package import UAF

/// A registered credential as the store has it, with its key parsed.
package struct StoredCredential: Sendable {
    /// Whether the credential may be used.
    package enum Status: Hashable, Sendable {
        case active
        /// Switched off by an administrator (status 1493).
        case disabled
    }

    package let registration: RegistrationReference
    package let account: AccountReference
    package let id: CredentialID
    /// The public key with the algorithm recorded at registration.
    package let key: VerificationKey
    /// The signature counter last seen; 0 when the authenticator does not count.
    package let signCounter: UInt32
    package let status: Status
    /// Time of registration, compared with the time in the request.
    package let registeredAt: Moment

    package init(
        registration: RegistrationReference, account: AccountReference, id: CredentialID, key: VerificationKey,
        use: Use
    ) {
        self.registration = registration
        self.account = account
        self.id = id
        self.key = key
        signCounter = use.signCounter
        status = use.status
        registeredAt = use.registeredAt
    }

    /// Changing part of a credential, with the time of its registration.
    package struct Use: Hashable, Sendable {
        package let signCounter: UInt32
        package let status: Status
        /// Time of registration, compared with the time in the request.
        package let registeredAt: Moment

        package init(signCounter: UInt32, status: Status = .active, registeredAt: Moment) {
            self.signCounter = signCounter
            self.status = status
            self.registeredAt = registeredAt
        }
    }
}
