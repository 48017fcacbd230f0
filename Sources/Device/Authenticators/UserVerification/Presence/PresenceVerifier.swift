import HardwareKeys
import Octets
import UAF

/// Lets a vault use a key after the operating system has verified the user.
///
/// The answer is a proof for one gate, and the vault asks for it before it signs; nothing here turns a "verified" into
/// a signature. Nothing is counted: the operating system counts its own mismatches.
struct PresenceVerifier: Sendable {
    private let ports: AuthenticatorPorts
    private let credentials: CredentialAccess

    init(_ ports: AuthenticatorPorts) {
        self.ports = ports
        credentials = CredentialAccess(ports)
    }

    /// Asks the user before a key is made, and says what the key will ask for.
    ///
    /// Throws ``AuthenticatorError/presence(_:)``; with ``UserPresenceError/expired`` when the enrolment changed while
    /// the user was asked.
    func enroll(
        _ rule: GateRule, _ prompt: PresencePrompt
    ) async throws(AuthenticatorError) -> (proof: UserPresenceProof, lock: PresenceLock) {
        guard let presence = ports.presence else { throw .presence(.unavailable) }
        let before = rule.remembersEnrollment ? try await digest(from: presence) : nil
        let proof = try await self.proof(of: rule.gate, from: presence, prompt)
        if let before {
            guard try await isSame(before, from: presence) else { throw .presence(.expired) }
        }
        return (proof, PresenceLock(gate: rule.gate, enrollmentDigest: before))
    }

    /// Asks the user and uses the key of a credential for a caller.
    ///
    /// The enrolment is compared before the user is asked, so that they do not pass for nothing, and again before the
    /// key is used. Throws ``AuthenticatorError/presence(_:)``, and ``AuthenticatorError/keyDisappearedPermanently``
    /// after the credential was marked, when the enrolment has changed.
    func use<Value: Sendable>(
        _ id: CredentialID, for access: KeyAccess, _ prompt: PresencePrompt,
        _ work: (any KeyVault, KeyReference, KeyAuthorization) async throws(KeyVaultError) -> Value
    ) async throws(AuthenticatorError) -> Value {
        guard let presence = ports.presence else { throw .presence(.unavailable) }
        let stored = try await usable(id, for: access, presence)
        let proof: UserPresenceProof
        do {
            proof = try await self.proof(of: stored.lock.gate, from: presence, prompt)
        } catch .presence(.enrollmentChanged) {
            throw try await credentials.loss(of: id)
        } catch {
            throw error
        }
        // While the user was asked, another process may have deleted the credential or marked it.
        guard try await usable(id, for: access, presence).key == stored.key else { throw .accessDenied }
        do {
            return try await work(ports.vault, stored.key, .userPresence(proof))
        } catch .userPresence(.enrollmentChanged) {
            throw try await credentials.loss(of: id)
        } catch {
            throw AuthenticatorError(vault: error)
        }
    }

    /// Key and lock of a credential whose enrolment is the one of its registration.
    private func usable(
        _ id: CredentialID, for access: KeyAccess, _ presence: any UserPresence
    ) async throws(AuthenticatorError) -> (key: KeyReference, lock: PresenceLock) {
        let stored = try await credentials.usable(id, for: access)
        guard let lock = stored.presenceLock else { throw .wrongUse }
        if let digest = lock.enrollmentDigest {
            guard try await isSame(digest, from: presence, of: id.aaid.authenticator?.kind) else {
                throw try await credentials.loss(of: id)
            }
        }
        return (stored.key, lock)
    }

    private func proof(
        of gate: UserGate, from presence: any UserPresence, _ prompt: PresencePrompt
    ) async throws(AuthenticatorError) -> UserPresenceProof {
        let proof: UserPresenceProof
        do {
            proof = try await presence.confirm(gate, prompt: prompt)
        } catch {
            throw .presence(error)
        }
        guard proof.gate == gate else { throw .presence(.mismatch) }
        return proof
    }

    // MARK: - Enrolment

    private func digest(from presence: any UserPresence) async throws(AuthenticatorError) -> [UInt8] {
        let digest: [UInt8]
        do {
            digest = try await presence.enrollmentDigest()
        } catch {
            throw .presence(error)
        }
        guard digest.count == PresenceLock.digestByteCount else { throw .presence(.unavailable) }
        return digest
    }

    /// Whether what is enrolled now is what it was.
    ///
    /// A sensor that is disconnected reports nothing, and that is an error; a connected sensor with nothing enrolled
    /// has lost its enrolment, and that is a change.
    private func isSame(
        _ before: [UInt8], from presence: any UserPresence, of kind: AuthenticatorKind? = nil
    ) async throws(AuthenticatorError) -> Bool {
        do throws(AuthenticatorError) {
            let now = try await digest(from: presence)
            return (try? ConstantTimeEquality.require(before, equals: now)) != nil
        } catch .presence(.unavailable) {
            guard let verification = kind?.platformVerification else { throw .presence(.unavailable) }
            let support = await ports.platform.support(for: verification)
            guard support.isSupportedByHardware, support.isSupportedByOs, !support.isEnrolled else {
                throw .presence(.unavailable)
            }
            return false
        } catch {
            throw error
        }
    }
}

/// Stored parameters of a key whose user the operating system verifies.
struct PresenceLock: Hashable, Sendable {
    static let digestByteCount = 32

    let gate: UserGate
    /// Digest of the enrolment at the registration; nil for a key that survives enrolment changes.
    let enrollmentDigest: [UInt8]?
}
