package import HardwareKeys
import Octets
import UAF

/// Key registration: makes a key for an account and attests it (FIDO UAF Authenticator Commands 1.1, 6.2.4).
///
/// Every registration makes a new key and a new KeyID. The key is stored as pending before the assertion is given out,
/// so that no answer of the server can find it missing; the caller then promotes or deletes it.
package struct KeyRegistration: Sendable {
    private static let keyIDByteCount = 32

    private let ports: AuthenticatorPorts
    private let attester: ProvedAttester?

    /// Works with a store and a vault; with an attester evidence that the chip holds the key goes beside the signed part.
    package init(_ ports: AuthenticatorPorts, attestedBy attester: ProvedAttester? = nil) {
        self.ports = ports
        self.attester = attester
    }

    /// Makes the key under a PIN or password and returns it with the registration assertion (TLV).
    ///
    /// Throws ``AuthenticatorError/wrongUse`` for a secret of another kind than the authenticator,
    /// ``AuthenticatorError/notOffered``, ``AuthenticatorError/noDeviceLock``,
    /// ``AuthenticatorError/algorithmNotSupported``, ``AuthenticatorError/attestationNotSupported``,
    /// ``AuthenticatorError/storeFull``, ``AuthenticatorError/derivationFailed``, ``AuthenticatorError/notEncodable``
    /// and the errors of store and vault.
    package func perform(
        _ parameters: Parameters, secret: borrowing UserSecret
    ) async throws(AuthenticatorError) -> (credential: Credential, assertion: [UInt8]) {
        guard parameters.model.kind == secret.kind else { throw .wrongUse }
        let (id, algorithm) = try await prepare(parameters)
        let record = SecretRecord.fresh(ports.secretProtection.cost)
        let derived = try SecretDerivation.derive(from: secret, record, of: id)
        let limit = UInt8(clamping: ports.lockoutPolicy.attemptCount)
        return try await enroll(
            NewKey(
                id: id, algorithm: algorithm, authorization: .countedSecret(limit: limit), secret: derived,
                shown: .secret(derived), protection: .secret(SecretLock(record: record, lockout: .unlocked))),
            for: parameters)
    }

    /// Has the operating system verify the user, makes the key and returns it with the registration assertion (TLV).
    ///
    /// Nothing is made before the user has passed. Throws ``AuthenticatorError/wrongUse`` for an authenticator with a
    /// PIN or password, ``AuthenticatorError/conflictingOptions``, ``AuthenticatorError/presence(_:)``, and what
    /// ``perform(_:secret:)`` throws.
    package func perform(
        _ parameters: Parameters, confirmedBy prompt: PresencePrompt
    ) async throws(AuthenticatorError) -> (credential: Credential, assertion: [UInt8]) {
        guard !parameters.model.kind.isVerifiedByApplication else { throw .wrongUse }
        let (id, algorithm) = try await prepare(parameters)
        let profile = try profile(of: parameters.model)
        try parameters.options.requireConsistent(in: profile)
        guard parameters.model.support.isStrong || parameters.options.allowsClass2Sensors || profile != .android else {
            throw .notOffered
        }
        let (proof, lock) = try await PresenceVerifier(ports).enroll(
            GateRule(kind: parameters.model.kind, profile: profile, options: parameters.options), prompt)
        return try await enroll(
            NewKey(
                id: id, algorithm: algorithm, authorization: .userPresence(lock.gate), secret: nil,
                shown: .userPresence(proof), protection: .presence(lock)),
            for: parameters)
    }

    // MARK: - Before the user

    /// Judges the parameters and names the key.
    private func prepare(
        _ parameters: Parameters
    ) async throws(AuthenticatorError) -> (id: CredentialID, algorithm: AssertionAlgorithm) {
        guard parameters.model.availability == .available else { throw .notOffered }
        guard parameters.attestation == .basicSurrogate else { throw .attestationNotSupported }
        guard let algorithm = AssertionAlgorithm(parameters.algorithm) else { throw .algorithmNotSupported }
        let lockRule = DeviceLockRule(ports.deviceLock)
        try await lockRule.require(for: parameters.model.kind, in: try profile(of: parameters.model))
        guard let keyID = KeyID(FreshOctets.make(count: Self.keyIDByteCount)) else { throw .storeFull }
        return (CredentialID(aaid: parameters.model.aaid, keyID: keyID), algorithm)
    }

    private func profile(of model: LocalAuthenticator) throws(AuthenticatorError) -> DeviceProfile {
        guard let profile = model.aaid.authenticator?.profile else { throw .notOffered }
        return profile
    }

    // MARK: - The key

    /// New key with the authorisation that each use will demand.
    private struct NewKey {
        let reference = KeyReference.fresh()
        let id: CredentialID
        let algorithm: AssertionAlgorithm
        let authorization: KeyRequirements.Authorization
        let secret: VaultSecret?
        /// Authorisation presented to the vault for the first signature.
        let shown: KeyAuthorization
        let protection: CredentialProtection
    }

    private func enroll(
        _ key: NewKey, for parameters: Parameters
    ) async throws(AuthenticatorError) -> (credential: Credential, assertion: [UInt8]) {
        try await KeyJournal(ports).destroyRemoved()
        let right = try await ports.keyMaking()
        defer { right.release() }
        try await ports.updatingStore { contents throws(AuthenticatorError) in
            try contents.begin(key.reference)
        }
        do throws(AuthenticatorError) {
            let made = try await make(key, for: parameters)
            try await keep(made.credential, key, for: parameters.access)
            return made
        } catch {
            // What cannot be destroyed now is destroyed when the device is opened again.
            try? await KeyJournal(ports).giveUp(key.reference)
            throw error
        }
    }

    private func make(
        _ key: NewKey, for parameters: Parameters
    ) async throws(AuthenticatorError) -> (credential: Credential, assertion: [UInt8]) {
        let requirements = KeyRequirements(
            algorithm: key.algorithm.keyAlgorithm, authorization: key.authorization)
        let publicKey: [UInt8]
        do throws(KeyVaultError) {
            try await ports.vault.createKey(requirements, named: key.reference, authorizedBy: key.secret)
            publicKey = try await ports.vault.publicKey(of: key.reference)
        } catch .unsupportedRequirements {
            throw .algorithmNotSupported
        } catch {
            throw AuthenticatorError(vault: error)
        }
        var credential = Credential(
            id: key.id, owner: parameters.owner, appID: parameters.access.appID, publicKey: publicKey,
            created: ports.clock.read().wallSeconds, state: .pending)
        credential.algorithm = parameters.algorithm
        credential.options = parameters.options
        credential.statesServer = parameters.challenge.serverBinding != nil
        return (credential, try await assertion(for: credential, signedBy: key, parameters.challenge))
    }

    private func keep(
        _ credential: Credential, _ key: NewKey, for access: KeyAccess
    ) async throws(AuthenticatorError) {
        try await ports.updatingStore { contents throws(AuthenticatorError) in
            let stored = CredentialRecord(
                credential: credential, accessToken: access.token(for: contents.installation), key: key.reference,
                protection: key.protection)
            try contents.insert(stored)
        }
    }

    private func assertion(
        for credential: Credential, signedBy key: NewKey, _ challenge: FinalChallengeParameters
    ) async throws(AuthenticatorError) -> [UInt8] {
        let data: KeyRegistrationData
        do {
            data = try KeyRegistrationData(
                credential: credential.id, info: AssertionInfo(mode: .userVerified, key.algorithm),
                finalChallengeHash: challenge.hash, counters: .unsupported,
                publicKey: try key.algorithm.encodedKey(credential.publicKey))
        } catch {
            throw .notEncodable
        }
        let signature: [UInt8]
        do throws(KeyVaultError) {
            signature = try await ports.vault.sign(data.octets, with: key.reference, authorizedBy: key.shown)
        } catch {
            throw AuthenticatorError(vault: error)
        }
        let evidence = try await attester?.evidence(about: key.reference, for: data)
        do {
            return try RegistrationAssertion(
                keyRegistrationData: data,
                attestation: .surrogate(signature: key.algorithm.encodedSignature(signature)),
                unsignedExtensions: evidence.map { [$0] } ?? []
            ).encoded()
        } catch {
            throw .notEncodable
        }
    }
}
