package import HardwareKeys

/// How long the user has to wait: what is stored with a credential beside the count of its vault.
///
/// The vault counts wrong secrets and locks; this is the moment of the last one, and their number as it was seen. An
/// attempt is noted before the vault is asked (SDK-2); what is found unfinished later, or counted by the vault without
/// having been seen here (a crash, an older copy of the file), makes the user wait as after a failure that happened now.
package struct LockoutState: Hashable, Sendable {
    /// Nothing wrong was entered since the last right secret.
    package static let unlocked = LockoutState(failures: 0, lastFailure: nil)

    /// Wrong secrets in a row that were seen, and attempts that were begun.
    package private(set) var failures: Int
    /// When the last of them was entered, or when its wait began again.
    package private(set) var lastFailure: ClockReading?

    /// Restores a stored state.
    package init(failures: Int, lastFailure: ClockReading?) {
        self.failures = failures
        self.lastFailure = lastFailure
    }

    /// How the authenticator stands at a moment, with what its vault has counted.
    ///
    /// A wait whose clocks cannot tell how much of it has passed (restart, clock set back) begins again at that moment;
    /// the state has changed then and must be stored, or the wait would never end.
    package mutating func status(
        _ attempts: KeyAttempts, at now: ClockReading, under policy: LockoutPolicy
    ) -> ProtectionStatus {
        takeOver(attempts, at: now)
        guard !attempts.isExhausted else { return .lockedOut }
        let wait = policy.wait(after: failures)
        let coolDown = wait > .zero ? max(.zero, wait - passed(at: now)) : .zero
        guard attempts.failures > 0 || coolDown > .zero else { return .unlocked }
        return .lastAttemptFailed(attemptsLeft: attempts.left, coolDown: coolDown)
    }

    /// Throws unless an attempt is allowed at this moment; nothing is counted.
    package mutating func requireAttempt(
        _ attempts: KeyAttempts, at now: ClockReading, under policy: LockoutPolicy
    ) throws(AuthenticatorError) {
        switch status(attempts, at: now, under: policy) {
        case .unlocked, .lastAttemptFailed(_, .zero): break
        case .lastAttemptFailed(let attemptsLeft, let coolDown):
            throw .coolingDown(attemptsLeft: attemptsLeft, coolDown: coolDown)
        case .lockedOut: throw .lockedOut
        }
    }

    /// Notes an attempt that the vault is about to judge.
    ///
    /// Throws what ``requireAttempt(_:at:under:)`` throws, and notes nothing then.
    package mutating func beginAttempt(
        _ attempts: KeyAttempts, at now: ClockReading, under policy: LockoutPolicy
    ) throws(AuthenticatorError) {
        try requireAttempt(attempts, at: now, under: policy)
        failures = min(failures, policy.attemptCount - 1) + 1
        lastFailure = now
    }

    /// Notes that the vault found the secret wrong, and returns the error for the user.
    package mutating func fail(
        _ attempts: KeyAttempts, at now: ClockReading, under policy: LockoutPolicy
    ) -> AuthenticatorError {
        failures = max(failures, Int(attempts.failures))
        lastFailure = now
        guard !attempts.isExhausted else { return .lockedOut }
        return .wrongSecret(attemptsLeft: attempts.left, coolDown: policy.wait(after: failures))
    }

    /// Forgets the wrong secrets, because the last one was right.
    package mutating func succeed() {
        self = .unlocked
    }

    /// A count of the vault above the one seen here is a failure that happened now.
    private mutating func takeOver(_ attempts: KeyAttempts, at now: ClockReading) {
        guard Int(attempts.failures) > failures else { return }
        failures = Int(attempts.failures)
        lastFailure = now
    }

    private mutating func passed(at now: ClockReading) -> Duration {
        guard let lastFailure, let elapsed = now.elapsed(since: lastFailure) else {
            lastFailure = now
            return .zero
        }
        return elapsed
    }
}

extension KeyAttempts {
    /// Wrong secrets that are left before the lock.
    fileprivate var left: Int { max(0, Int(limit) - Int(failures)) }
}
