import RelyingParty
import UAF

extension RegisteredCredential {
    /// The credential to store for a proved key.
    init(
        registering verified: VerifiedRegistration.Credential, of user: UserID, at time: Timestamp,
        as registrationID: RegistrationID, on targetID: DispatchTargetID? = nil
    ) {
        self.init(
            registrationID: registrationID, userID: user, id: verified.id, algorithm: verified.key.algorithm,
            publicKey: EncodedPublicKey(format: verified.key.format, octets: verified.key.octets),
            counters: verified.data.counters, authenticatorVersion: verified.data.info.authenticatorVersion,
            status: .active, registeredAt: time, lastSuccessAt: nil,
            targetID: targetID)
    }

    /// The credential in the words of the relying party; nil when the stored key cannot be read any more.
    func stored(_ keys: VerificationKeys) -> StoredCredential? {
        guard let key = keys.key(publicKey, algorithm) else { return nil }
        let use = StoredCredential.Use(
            signCounter: counters.signatures, status: status == .active ? .active : .disabled,
            registeredAt: registeredAt.moment)
        return StoredCredential(
            registration: RegistrationReference(registrationID.octets), account: AccountReference(userID.octets),
            id: id, key: key, use: use)
    }
}
