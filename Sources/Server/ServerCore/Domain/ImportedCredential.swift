import RelyingParty
package import UAF

/// Credential that another server has verified, as an operator brings it along.
///
/// Its key was read as one of its format and algorithm. The operator stands for everything else: no chip is proved, and no
/// application.
package struct ImportedCredential: Sendable {
    package let id: CredentialID
    package let publicKey: EncodedPublicKey
    package let algorithm: AuthenticationAlgorithm
    package let counters: Counters
    package let registrationID: RegistrationID
    package let registeredAt: Timestamp
    package var status = RegisteredCredential.Status.active
    package var authenticatorVersion: UInt16 = 0

    /// Nil when the octets are no public key of the format and the algorithm.
    package init?(
        _ id: CredentialID, key: EncodedPublicKey, algorithm: AuthenticationAlgorithm, counters: Counters,
        registeredAt: Timestamp, as registrationID: RegistrationID
    ) {
        guard
            (try? VerificationKey(
                key.octets, format: key.format, algorithm: algorithm, tolerance: .acceptsSubjectPublicKeyInfo)) != nil
        else { return nil }
        (self.id, publicKey, self.algorithm, self.counters) = (id, key, algorithm, counters)
        (self.registeredAt, self.registrationID) = (registeredAt, registrationID)
    }
}

extension VerifiedCredential {
    /// Takes over a credential of another server for a user, on a phone where one is named.
    package init(_ imported: ImportedCredential, of user: UserID, on targetID: DispatchTargetID?) {
        self.init(
            RegisteredCredential(
                registrationID: imported.registrationID, userID: user, id: imported.id, algorithm: imported.algorithm,
                publicKey: imported.publicKey, counters: imported.counters,
                authenticatorVersion: imported.authenticatorVersion, status: imported.status,
                registeredAt: imported.registeredAt, lastSuccessAt: nil, targetID: targetID))
    }
}
