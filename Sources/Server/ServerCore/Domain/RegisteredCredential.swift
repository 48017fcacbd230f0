package import RelyingParty
package import UAF

/// A public key that a user has registered, with what the server has seen of it since.
package struct RegisteredCredential: Sendable, Hashable {
    /// Whether the credential may be used.
    package enum Status: String, Sendable, Hashable, CaseIterable {
        case active
        /// An administrator has switched the credential off (status 1493).
        case disabled
    }

    /// Protection of the key by a chip, as far as the registration has proved it.
    package enum Protection: String, Sendable, Hashable, CaseIterable {
        case unproved
        /// A chip made the key, holds it and does not give it out.
        case chip
        /// In addition the chip counts wrong PINs, and takes few of them in a row.
        case chipWithPIN = "chip-pin"
    }

    /// Names this act of registration; a key that was removed and registered again has another one.
    package let registrationID: RegistrationID
    package let userID: UserID
    /// Model and key as the protocol names them, unique over all users.
    package let id: CredentialID
    package let algorithm: AuthenticationAlgorithm
    package let publicKey: EncodedPublicKey
    /// The counters last seen; both 0 for an authenticator that does not count.
    package let counters: Counters
    /// The version that the authenticator stated when it registered.
    package let authenticatorVersion: UInt16
    package let status: Status
    package let registeredAt: Timestamp
    package let lastSuccessAt: Timestamp?
    /// The dispatch target of the device that holds the key; nil when that is unknown.
    package let targetID: DispatchTargetID?
    /// Protection of the key, as far as the registration has proved it.
    package let protection: Protection
    /// Logins from before this time do not hold by it any more: it was disabled then.
    package let notBefore: Timestamp

    package init(
        registrationID: RegistrationID, userID: UserID, id: CredentialID, algorithm: AuthenticationAlgorithm,
        publicKey: EncodedPublicKey, counters: Counters, authenticatorVersion: UInt16, status: Status,
        registeredAt: Timestamp, lastSuccessAt: Timestamp?, targetID: DispatchTargetID? = nil,
        protection: Protection = .unproved, notBefore: Timestamp = Timestamp(milliseconds: 0)
    ) {
        self.registrationID = registrationID
        self.userID = userID
        self.id = id
        self.algorithm = algorithm
        self.publicKey = publicKey
        self.counters = counters
        self.authenticatorVersion = authenticatorVersion
        self.status = status
        self.registeredAt = registeredAt
        self.lastSuccessAt = lastSuccessAt
        self.targetID = targetID
        self.protection = protection
        self.notBefore = notBefore
    }
}

extension RegisteredCredential {
    /// The credential as a value of the relying party; nil when the stored key cannot be read any more.
    package func stored(_ keys: VerificationKeys) -> StoredCredential? {
        guard let key = keys.key(publicKey, algorithm) else { return nil }
        let use = StoredCredential.Use(
            signCounter: counters.signatures, status: status == .active ? .active : .disabled,
            registeredAt: registeredAt.moment)
        return StoredCredential(
            registration: RegistrationReference(registrationID.octets), account: AccountReference(userID.octets),
            id: id, key: key, use: use)
    }
}
