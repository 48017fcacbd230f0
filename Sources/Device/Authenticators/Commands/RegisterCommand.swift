import Crypto
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
        try await KeyJournal(ports).destroyRemoved()
        let id = CredentialID(aaid: order.model.aaid, keyID: keyID)
        let record = PINRecord.fresh(ports.pinProtection.cost)
        let key = NewKey(
            reference: .fresh(), secret: try PINSecret.derive(from: pin, record, of: id))
        try ports.updatingStore { contents throws(AuthenticatorError) in
            try contents.begin(key.reference)
        }
        do throws(AuthenticatorError) {
            let made = try await make(key, id, for: order)
            try keep(made.credential, key.reference, record, for: order.access)
            return made
        } catch {
            // What cannot be destroyed now is destroyed when the device is opened again.
            try? await KeyJournal(ports).giveUp(key.reference)
            throw error
        }
    }

    /// A key on its way into the vault.
    private struct NewKey {
        let reference: KeyReference
        let secret: VaultSecret
    }

    private func make(
        _ key: NewKey, _ id: CredentialID, for order: Order
    ) async throws(AuthenticatorError) -> (credential: Credential, assertion: [UInt8]) {
        let limit = UInt8(clamping: ports.lockoutPolicy.attemptCount)
        do throws(KeyVaultError) {
            try await ports.vault.createKey(
                KeyRequirements(authorization: .countedSecret(limit: limit)), named: key.reference,
                authorizedBy: key.secret)
            let credential = Credential(
                id: id, owner: order.owner, appID: order.access.appID,
                publicKey: try await ports.vault.publicKey(of: key.reference),
                created: ports.clock.read().wallSeconds, state: .pending)
            return (credential, try await assertion(for: credential, signedBy: key, order.challenge))
        } catch {
            throw AuthenticatorError(vault: error)
        }
    }

    private func keep(
        _ credential: Credential, _ key: KeyReference, _ record: PINRecord, for access: KeyAccess
    ) throws(AuthenticatorError) {
        try ports.updatingStore { contents throws(AuthenticatorError) in
            let stored = StoredCredential(
                credential: credential, accessToken: access.token(for: contents.installation), key: key,
                pinRecord: record, lockout: .unlocked)
            try contents.insert(stored)
        }
    }

    private func assertion(
        for credential: Credential, signedBy key: NewKey, _ challenge: FinalChallengeParameters
    ) async throws(KeyVaultError) -> [UInt8] {
        let data: KeyRegistrationData
        do {
            data = try KeyRegistrationData(
                credential: credential.id, info: AssertionInfo(mode: .userVerified),
                finalChallengeHash: challenge.hash, counters: .unsupported,
                publicKey: EncodedPublicKey(format: .eccX962DER, octets: credential.publicKey))
        } catch {
            throw .damaged
        }
        let signature = try await ports.vault.sign(
            data.octets, with: key.reference, authorizedBy: .secret(key.secret))
        do {
            return try RegistrationAssertion(
                keyRegistrationData: data,
                attestation: .surrogate(signature: P256.Signing.ECDSASignature.der(ofRaw: signature))
            ).encoded()
        } catch {
            throw .damaged
        }
    }
}
