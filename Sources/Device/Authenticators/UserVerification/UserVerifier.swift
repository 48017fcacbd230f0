import HardwareKeys
import UAF

/// Lets a vault use the key of a credential with the secret that a PIN leads to.
///
/// The vault counts wrong secrets and locks; here the waits are kept. The order is the rule: refuse without asking the
/// vault while it is locked or a wait is running; derive, which tells nothing; store that an attempt begins; only then
/// ask the vault; store how it ended before telling it (SDK-2).
struct UserVerifier: Sendable {
    private let ports: AuthenticatorPorts

    init(_ ports: AuthenticatorPorts) {
        self.ports = ports
    }

    /// How the authenticator of a credential stands now.
    func status(of id: CredentialID) async throws(AuthenticatorError) -> ProtectionStatus {
        let stored = try usable(id, for: nil)
        let attempts = try await attempts(of: stored.key)
        let now = await now()
        return try changing(id, for: nil) { stored throws(AuthenticatorError) in
            stored.lockout.status(attempts, at: now, under: ports.lockoutPolicy)
        }
    }

    /// Uses the key of a credential for a caller; nil is the owner of the device, who changes a PIN.
    func use<Value: Sendable>(
        _ id: CredentialID, for access: KeyAccess?, pin: borrowing PIN,
        _ work: (any KeyVault, KeyReference, VaultSecret) async throws(KeyVaultError) -> Value
    ) async throws(AuthenticatorError) -> Value {
        let stored = try await requireAttempt(id, for: access)
        let record = stored.pinRecord
        let secret = try PINSecret.derive(from: pin, record, of: id)
        let value = try await attempt(stored, for: access, secret, work)
        if let renewed = try renewed(record, pin, secret, of: id) {
            try changing(id, for: access) { stored throws(AuthenticatorError) in
                if stored.pinRecord == record { stored.pinRecord = renewed }
            }
        }
        return value
    }

    /// Puts an unlocked key under another PIN.
    func change(_ unlocked: UnlockedKey, to pin: borrowing PIN) async throws(AuthenticatorError) {
        let stored = try await requireAttempt(unlocked.credential, for: nil)
        let new = try PINSecret.derive(from: pin, stored.pinRecord, of: unlocked.credential)
        try await attempt(stored, for: nil, unlocked.secret, revising: true) { vault, key, old throws(KeyVaultError) in
            try await vault.changeSecret(of: key, from: old, to: new)
        }
    }

    // MARK: - Attempts

    /// The credential, when neither a lock nor a wait nor the cost stands against an attempt now.
    private func requireAttempt(
        _ id: CredentialID, for access: KeyAccess?
    ) async throws(AuthenticatorError) -> StoredCredential {
        let stored = try usable(id, for: access)
        let attempts = try await attempts(of: stored.key)
        let now = await now()
        return try changing(id, for: access) { stored throws(AuthenticatorError) in
            try stored.lockout.requireAttempt(attempts, at: now, under: ports.lockoutPolicy)
            try require(stored.pinRecord.cost)
            return stored
        }
    }

    private func attempt<Value: Sendable>(
        _ expected: StoredCredential, for access: KeyAccess?, _ secret: VaultSecret,
        revising: Bool = false, _ work: (any KeyVault, KeyReference, VaultSecret) async throws(KeyVaultError) -> Value
    ) async throws(AuthenticatorError) -> Value {
        let id = expected.credential.id
        let beginning = try await begin(expected, for: access, revising)
        let value: Value
        do {
            value = try await work(ports.vault, expected.key, secret)
        } catch .wrongSecret, .lockedOut {
            throw try await failure(of: expected, after: beginning, for: access)
        } catch {
            // The vault has not judged the secret; should it have counted, the next look at its count shows it.
            try changing(id, for: access) { stored throws(AuthenticatorError) in
                if stored.lockout == beginning.after { stored.lockout = beginning.before }
            }
            throw AuthenticatorError(vault: error)
        }
        try changing(id, for: access) { stored throws(AuthenticatorError) in stored.lockout.succeed() }
        return value
    }

    /// An attempt that began: what the vault had counted, and the state before and after it was noted.
    private struct Beginning {
        let attempts: KeyAttempts
        let before: LockoutState
        let after: LockoutState
    }

    /// Stores that an attempt begins, so that one at the same time, or one after a crash, waits as after a failure.
    private func begin(
        _ expected: StoredCredential, for access: KeyAccess?, _ revising: Bool
    ) async throws(AuthenticatorError) -> Beginning {
        let attempts = try await attempts(of: expected.key)
        let now = await now()
        return try changing(expected.credential.id, for: access) { stored throws(AuthenticatorError) in
            // Another process made the PIN or the key anew meanwhile: what was derived belongs to the old one.
            guard stored.pinRecord == expected.pinRecord, stored.key == expected.key else { throw .accessDenied }
            let before = stored.lockout
            try stored.lockout.beginAttempt(attempts, at: now, under: ports.lockoutPolicy)
            if revising { stored.pinRecord.revise() }
            return Beginning(attempts: attempts, before: before, after: stored.lockout)
        }
    }

    /// Stores that the secret was wrong, and returns the error for the user.
    private func failure(
        of expected: StoredCredential, after beginning: Beginning, for access: KeyAccess?
    ) async throws(AuthenticatorError) -> AuthenticatorError {
        let before = beginning.attempts
        let assumed = KeyAttempts(failures: min(before.failures, before.limit - 1) + 1, limit: before.limit)
        let counted = (try? await attempts(of: expected.key)) ?? assumed
        let now = await now()
        return try changing(expected.credential.id, for: access) { stored throws(AuthenticatorError) in
            stored.lockout.fail(counted, at: now, under: ports.lockoutPolicy)
        }
    }

    private func attempts(of key: KeyReference) async throws(AuthenticatorError) -> KeyAttempts {
        let attempts: KeyAttempts?
        do {
            attempts = try await ports.vault.attempts(of: key)
        } catch {
            throw AuthenticatorError(vault: error)
        }
        // Keys of PINs are made with a limit; one without is not ours.
        guard let attempts else { throw .keyDisappearedPermanently }
        return attempts
    }

    /// The clocks of the device and, where the vault has one, that of its chip.
    private func now() async -> ClockReading {
        let chip = try? await ports.vault.trustedTime()
        return ports.clock.read().with(chip)
    }

    // MARK: - Cost

    private func require(_ cost: ScryptCost) throws(AuthenticatorError) {
        do {
            try ports.pinProtection.require(cost)
        } catch {
            throw .unacceptableCost(error)
        }
    }

    /// The record at the present cost, when a stored one has become too cheap (SDK-8); nil when it has not.
    ///
    /// What a chip guards keeps the record of its enrolment.
    private func renewed(
        _ record: PINRecord, _ pin: borrowing PIN, _ secret: VaultSecret, of id: CredentialID
    ) throws(AuthenticatorError) -> PINRecord? {
        guard !ports.vault.provider.isSecureHardware, ports.pinProtection.outgrows(record.cost) else { return nil }
        return try PINSecret.record(ports.pinProtection.cost, leadingFrom: pin, to: secret, of: id)
    }

    // MARK: - Store

    private func usable(
        _ id: CredentialID, for access: KeyAccess?
    ) throws(AuthenticatorError) -> StoredCredential {
        try changing(id, for: access) { stored throws(AuthenticatorError) in stored }
    }

    /// Changes one active credential of a caller in the store; what `change` did is durable also when it throws.
    private func changing<Result>(
        _ id: CredentialID, for access: KeyAccess?,
        _ change: (inout StoredCredential) throws(AuthenticatorError) -> Result
    ) throws(AuthenticatorError) -> Result {
        try ports.updatingStore { contents throws(AuthenticatorError) in
            guard var stored = contents.stored(id), access.allows(stored.accessToken, of: contents) else {
                throw .accessDenied
            }
            switch stored.credential.state {
            case .active: break
            case .pending: throw .accessDenied
            case .unusable: throw .keyDisappearedPermanently
            }
            defer { contents.replace(stored) }
            return try change(&stored)
        }
    }
}

extension KeyAccess? {
    fileprivate func allows(_ token: AccessToken, of contents: StoredCredentials) -> Bool {
        guard let self else { return true }
        return self.token(for: contents.installation) == token
    }
}
