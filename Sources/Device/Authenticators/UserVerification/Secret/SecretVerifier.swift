import HardwareKeys
import UAF

/// Lets a vault use the key of a credential with the secret that a PIN or password leads to.
///
/// The vault counts wrong secrets and locks; here the waits are kept. The order is the rule: refuse without asking the
/// vault while it is locked or a wait is running; derive, which tells nothing; store that an attempt begins; only then
/// ask the vault; store how it ended before telling it.
struct SecretVerifier: Sendable {
    typealias Use<Value> = (any KeyVault, KeyReference, VaultSecret) async throws(KeyVaultError) -> Value

    private let ports: AuthenticatorPorts
    private let credentials: CredentialAccess

    init(_ ports: AuthenticatorPorts) {
        self.ports = ports
        credentials = CredentialAccess(ports)
    }

    func status(of id: CredentialID) async throws(AuthenticatorError) -> ProtectionStatus {
        let stored = try await credentials.usable(id, for: nil)
        guard stored.secretLock != nil else { return .unlocked }
        let attempts = try await attempts(of: stored.key)
        let now = await now()
        return try await changing(id, for: nil) { _, lock throws(AuthenticatorError) in
            lock.lockout.status(attempts, at: now, under: ports.lockoutPolicy)
        }
    }

    /// Uses the key of a credential for a caller; nil is the owner of the device, who changes a secret.
    func use<Value: Sendable>(
        _ id: CredentialID, for access: KeyAccess?, entry: borrowing UserSecret, _ work: Use<Value>
    ) async throws(AuthenticatorError) -> Value {
        try await open(id, for: access, entry: entry, work).value
    }

    /// Uses the key, and tells how its secret was derived.
    private func open<Value: Sendable>(
        _ id: CredentialID, for access: KeyAccess?, entry: borrowing UserSecret, _ work: Use<Value>
    ) async throws(AuthenticatorError) -> (value: Value, record: SecretRecord) {
        let attempt = try await requireAttempt(id, for: access, by: entry.kind)
        let secret = try SecretDerivation.derive(from: entry, attempt.record, of: id)
        let value = try await carryOut(attempt, secret, work)
        if let renewed = try renewed(attempt.record, entry, secret, of: id) {
            try await changing(id, for: access) { _, lock throws(AuthenticatorError) in
                if lock.record == attempt.record { lock.record = renewed }
            }
        }
        return (value, attempt.record)
    }

    /// Checks an entry and returns the proof for ``change(_:to:)``.
    func unlock(
        _ id: CredentialID, entry: borrowing UserSecret
    ) async throws(AuthenticatorError) -> UnlockedKey {
        let (secret, record) = try await open(id, for: nil, entry: entry) { vault, key, secret throws(KeyVaultError) in
            try await vault.verify(secret, of: key)
            return secret
        }
        return UnlockedKey(credential: id, secret: secret, record: record)
    }

    /// Puts an unlocked key under another PIN or password.
    func change(_ unlocked: UnlockedKey, to entry: borrowing UserSecret) async throws(AuthenticatorError) {
        let attempt = try await requireAttempt(unlocked.credential, for: nil, by: entry.kind)
        let new = try SecretDerivation.derive(from: entry, attempt.record, of: unlocked.credential)
        try await carryOut(attempt, unlocked.secret, revising: true) { vault, key, old throws(KeyVaultError) in
            try await vault.changeSecret(of: key, from: old, to: new)
        }
    }

    // MARK: - Attempts

    /// An attempt that may be made: whose key, for whom, and how its secret is derived.
    private struct Attempt: Sendable {
        let id: CredentialID
        let access: KeyAccess?
        let key: KeyReference
        let record: SecretRecord
    }

    /// The attempt, when neither a lock nor a wait nor the cost stands against it now.
    private func requireAttempt(
        _ id: CredentialID, for access: KeyAccess?, by kind: AuthenticatorKind
    ) async throws(AuthenticatorError) -> Attempt {
        let stored = try await credentials.usable(id, for: access)
        guard stored.secretLock != nil, id.aaid.authenticator?.kind == kind else { throw .wrongUse }
        let attempts = try await attempts(of: stored.key)
        let now = await now()
        return try await changing(id, for: access) { key, lock throws(AuthenticatorError) in
            try lock.lockout.requireAttempt(attempts, at: now, under: ports.lockoutPolicy)
            try require(lock.record.cost)
            return Attempt(id: id, access: access, key: key, record: lock.record)
        }
    }

    private func carryOut<Value: Sendable>(
        _ attempt: Attempt, _ secret: VaultSecret, revising: Bool = false, _ work: Use<Value>
    ) async throws(AuthenticatorError) -> Value {
        let beginning = try await begin(attempt, revising)
        let value: Value
        do {
            value = try await work(ports.vault, attempt.key, secret)
        } catch .wrongSecret, .lockedOut {
            throw try await failure(of: attempt, after: beginning)
        } catch {
            // The vault has not judged the secret; should it have counted, the next look at its count shows it.
            try await changing(attempt.id, for: attempt.access) { _, lock throws(AuthenticatorError) in
                if lock.lockout == beginning.after { lock.lockout = beginning.before }
            }
            throw AuthenticatorError(vault: error)
        }
        try await changing(attempt.id, for: attempt.access) { _, lock throws(AuthenticatorError) in
            lock.lockout.succeed()
        }
        return value
    }

    /// An attempt that began: what the vault had counted, and the state before and after it was noted.
    private struct Beginning {
        let attempts: KeyAttempts
        let before: LockoutState
        let after: LockoutState
    }

    /// Stores that an attempt begins, so that one at the same time, or one after a crash, waits as after a failure.
    private func begin(_ attempt: Attempt, _ revising: Bool) async throws(AuthenticatorError) -> Beginning {
        let attempts = try await attempts(of: attempt.key)
        let now = await now()
        return try await changing(attempt.id, for: attempt.access) { key, lock throws(AuthenticatorError) in
            // Another process made the secret or the key anew meanwhile: what was derived belongs to the old one.
            guard lock.record == attempt.record, key == attempt.key else { throw .accessDenied }
            let before = lock.lockout
            try lock.lockout.beginAttempt(attempts, at: now, under: ports.lockoutPolicy)
            if revising { lock.record.revise() }
            return Beginning(attempts: attempts, before: before, after: lock.lockout)
        }
    }

    /// Stores that the secret was wrong, and returns the error for the user.
    private func failure(
        of attempt: Attempt, after beginning: Beginning
    ) async throws(AuthenticatorError) -> AuthenticatorError {
        let before = beginning.attempts
        let assumed = KeyAttempts(failures: min(before.failures, before.limit - 1) + 1, limit: before.limit)
        let counted = (try? await attempts(of: attempt.key)) ?? assumed
        let now = await now()
        return try await changing(attempt.id, for: attempt.access) { _, lock throws(AuthenticatorError) in
            lock.lockout.fail(counted, at: now, under: ports.lockoutPolicy)
        }
    }

    private func attempts(of key: KeyReference) async throws(AuthenticatorError) -> KeyAttempts {
        let attempts: KeyAttempts?
        do {
            attempts = try await ports.vault.attempts(of: key)
        } catch {
            throw AuthenticatorError(vault: error)
        }
        // Keys behind a secret are made with a limit; one without is not ours.
        guard let attempts else { throw .vault(.damaged) }
        return attempts
    }

    /// The clocks of the device and, where the vault has one, its chip's.
    private func now() async -> ClockReading {
        let chip = try? await ports.vault.trustedTime()
        return ports.clock.read().with(chip)
    }

    /// Changes the lock of one active credential of a caller; what `change` did is durable also when it throws.
    private func changing<Result>(
        _ id: CredentialID, for access: KeyAccess?,
        _ change: (KeyReference, inout SecretLock) throws(AuthenticatorError) -> Result
    ) async throws(AuthenticatorError) -> Result {
        try await credentials.changing(id, for: access) { stored throws(AuthenticatorError) in
            guard var lock = stored.secretLock else { throw .wrongUse }
            defer { stored.protection = .secret(lock) }
            return try change(stored.key, &lock)
        }
    }

    // MARK: - Cost

    private func require(_ cost: ScryptCost) throws(AuthenticatorError) {
        do {
            try ports.secretProtection.require(cost)
        } catch {
            throw .unacceptableCost(error)
        }
    }

    /// The record at the present cost, when a stored one has become too cheap; nil when it has not.
    ///
    /// A key in a chip keeps the record of its enrolment: two records for one secret would let an attacker who has both try
    /// PINs past the chip.
    private func renewed(
        _ record: SecretRecord, _ entry: borrowing UserSecret, _ secret: VaultSecret, of id: CredentialID
    ) throws(AuthenticatorError) -> SecretRecord? {
        guard !ports.vault.provider.isSecureHardware, ports.secretProtection.outgrows(record.cost) else { return nil }
        return try SecretDerivation.record(ports.secretProtection.cost, leadingFrom: entry, to: secret, of: id)
    }
}
