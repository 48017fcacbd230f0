import HardwareKeys
import Octets
package import UAF

/// Makes a key for an account and vouches for it (FIDO UAF Authenticator Commands 1.1, 6.2.4).
///
/// Every registration makes a new key and a new KeyID (SEC-14). The key is stored as pending before the assertion is
/// given out, so that no answer of the server can find it missing; the caller then promotes or deletes it.
package struct RegisterCommand: Sendable {
    private static let keyIDByteCount = 32

    /// What a key is made for.
    package struct Order: Hashable, Sendable {
        /// Which authenticator.
        package let model: AuthenticatorModel
        /// Whose key it will be.
        package let owner: CredentialOwner
        /// Who may use it.
        package let access: KeyAccess
        /// What the attestation signs.
        package let challenge: FinalChallengeParameters
        /// How to vouch; only surrogate attestation is possible.
        package let attestation: AttestationType

        /// Orders a key.
        package init(
            model: AuthenticatorModel, owner: CredentialOwner, access: KeyAccess,
            challenge: FinalChallengeParameters, attestation: AttestationType = .basicSurrogate
        ) {
            self.model = model
            self.owner = owner
            self.access = access
            self.challenge = challenge
            self.attestation = attestation
        }
    }

    private let ports: AuthenticatorPorts

    /// Works with a store and a vault.
    package init(_ ports: AuthenticatorPorts) {
        self.ports = ports
    }

    /// Makes the key under `pin` and returns it with the registration assertion (TLV).
    ///
    /// Throws ``AuthenticatorError/notOffered``, ``AuthenticatorError/attestationNotSupported``,
    /// ``AuthenticatorError/storeFull``, ``AuthenticatorError/derivationFailed`` and the errors of store and vault.
    package func perform(
        _ order: Order, pin: borrowing PIN
    ) async throws(AuthenticatorError) -> (credential: Credential, assertion: [UInt8]) {
        guard order.model.kind == .pin, order.model.availability == .available else { throw .notOffered }
        guard order.attestation == .basicSurrogate else { throw .attestationNotSupported }
        guard let keyID = KeyID(FreshOctets.make(count: Self.keyIDByteCount)) else { throw .storeFull }
        let id = CredentialID(aaid: order.model.aaid, keyID: keyID)
        let key = SecretKey()
        let credential = Credential(
            id: id, owner: order.owner, appID: order.access.appID, publicKey: try key.publicKey(),
            created: ports.clock.read().wallSeconds, state: .pending)
        let assertion = try assertion(for: credential, signedBy: key, challenge: order.challenge)
        let token = try ports.updatingStore { contents throws(AuthenticatorError) in
            order.access.token(for: contents.installation)
        }
        let record = try await PINSeal(ports).seal(key, under: pin, of: id, bound: token)
        try ports.updatingStore { contents throws(AuthenticatorError) in
            guard contents.credentials.count < StoredCredentials.countLimit else { throw .storeFull }
            contents.insert(
                StoredCredential(credential: credential, accessToken: token, pinRecord: record, lockout: .unlocked))
        }
        return (credential, assertion)
    }

    private func assertion(
        for credential: Credential, signedBy key: SecretKey, challenge: FinalChallengeParameters
    ) throws(AuthenticatorError) -> [UInt8] {
        do {
            let data = try KeyRegistrationData(
                credential: credential.id, info: AssertionInfo(mode: .userVerified),
                finalChallengeHash: challenge.hash, counters: .unsupported,
                publicKey: EncodedPublicKey(format: .eccX962DER, octets: credential.publicKey))
            let signature = try key.signature(over: data.octets)
            return try RegistrationAssertion(keyRegistrationData: data, attestation: .surrogate(signature: signature))
                .encoded()
        } catch {
            throw .keyDisappearedPermanently
        }
    }
}
