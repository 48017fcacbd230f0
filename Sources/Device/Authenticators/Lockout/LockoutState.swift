/// Wrong secrets in a row, with the moment of the last: what is stored with a credential.
///
/// An attempt is counted before its secret is checked (SDK-2), and taken back by ``succeed()``; a crash in between costs
/// an attempt and never gives one.
package struct LockoutState: Hashable, Sendable {
    /// Nothing wrong was entered since the last right secret.
    package static let unlocked = LockoutState(failures: 0, lastFailure: nil)

    /// Wrong secrets in a row.
    package private(set) var failures: Int
    /// When the last of them was entered, or when its wait began again.
    package private(set) var lastFailure: ClockReading?

    /// Restores a stored state.
    package init(failures: Int, lastFailure: ClockReading?) {
        self.failures = failures
        self.lastFailure = lastFailure
    }

    /// How the authenticator stands at a moment.
    ///
    /// A wait whose clocks cannot tell how much of it has passed (restart, clock set back) begins again at that moment;
    /// the state has changed then and must be stored, or the wait would never end.
    package mutating func status(at now: ClockReading, under policy: LockoutPolicy) -> ProtectionStatus {
        guard failures > 0 else { return .unlocked }
        guard failures < policy.attemptCount else { return .lockedOut }
        let wait = policy.wait(after: failures)
        return .lastAttemptFailed(
            attemptsLeft: policy.attemptCount - failures,
            coolDown: wait > .zero ? max(.zero, wait - passed(at: now)) : .zero)
    }

    /// Throws unless an attempt is allowed at this moment; nothing is counted.
    package mutating func requireAttempt(
        at now: ClockReading, under policy: LockoutPolicy
    ) throws(AuthenticatorError) {
        switch status(at: now, under: policy) {
        case .unlocked, .lastAttemptFailed(_, .zero): break
        case .lastAttemptFailed(let attemptsLeft, let coolDown):
            throw .coolingDown(attemptsLeft: attemptsLeft, coolDown: coolDown)
        case .lockedOut: throw .lockedOut
        }
    }

    /// Counts an attempt and returns the error it ends with when the secret turns out wrong.
    ///
    /// Throws what ``requireAttempt(at:under:)`` throws, and counts nothing then.
    package mutating func beginAttempt(
        at now: ClockReading, under policy: LockoutPolicy
    ) throws(AuthenticatorError) -> AuthenticatorError {
        try requireAttempt(at: now, under: policy)
        failures += 1
        lastFailure = now
        guard failures < policy.attemptCount else { return .lockedOut }
        return .wrongSecret(
            attemptsLeft: policy.attemptCount - failures, coolDown: policy.wait(after: failures))
    }

    /// Forgets the wrong secrets, because the last one was right.
    package mutating func succeed() {
        self = .unlocked
    }

    private mutating func passed(at now: ClockReading) -> Duration {
        guard let lastFailure, let elapsed = now.elapsed(since: lastFailure) else {
            lastFailure = now
            return .zero
        }
        return elapsed
    }
}
