import Synchronization
import UAF

/// Throttle of password logins, by name and address, by name, and by address over all names.
///
/// Names of users who do not exist are counted like all others, so that the answer tells nobody which do, nor does the
/// limit that answers.
final class PasswordThrottle: Sendable {
    /// One try to log in.
    struct Attempt: Hashable, Sendable {
        /// The name that was given.
        let name: UserName
        /// The key under which its sender is counted.
        let address: String
    }

    private struct Counts: Sendable {
        var bySource: FailureCounter<Attempt>
        var byName: FailureCounter<UserName>
        var byAddress: FailureCounter<String>
        /// Passwords of an address that are being checked at this moment.
        var underway: [String: Int] = [:]

        func wait(for attempt: Attempt, at now: Timestamp) -> Duration? {
            bySource.wait(for: attempt, at: now) ?? byName.wait(for: attempt.name, at: now)
                ?? byAddress.wait(for: attempt.address, at: now)
        }
    }

    private let limitPerAddress: Int
    private let counts: Mutex<Counts>

    init(_ settings: PasswordLoginSettings) {
        limitPerAddress = settings.failureLimitPerAddress
        counts = Mutex(
            Counts(
                bySource: FailureCounter(limit: settings.failureLimit, window: settings.window),
                byName: FailureCounter(limit: settings.failureLimitPerName, window: settings.window),
                byAddress: FailureCounter(limit: settings.failureLimitPerAddress, window: settings.window)))
    }

    /// Throws ``ServerError/throttled(retryAfter:)`` when there were too many failures; nothing is counted.
    func requireRoom(for attempt: Attempt, at now: Timestamp) throws(ServerError) {
        guard let wait = counts.withLock({ $0.wait(for: attempt, at: now) }) else { return }
        throw .throttled(retryAfter: wait)
    }

    /// Begins a check, of which ``end(_:failed:at:)`` tells the outcome; throws as ``requireRoom(for:at:)``.
    ///
    /// Checks of one name come one after the other, so their counts are exact. Those of one address do not: each is
    /// counted as a failure while it is under way.
    func begin(_ attempt: Attempt, at now: Timestamp) throws(ServerError) {
        let wait = counts.withLock { counts -> Duration? in
            if let wait = counts.wait(for: attempt, at: now) { return wait }
            let underway = counts.underway[attempt.address] ?? 0
            guard counts.byAddress.count(of: attempt.address, at: now) + underway < limitPerAddress else {
                return .seconds(1)
            }
            counts.underway[attempt.address] = underway + 1
            return nil
        }
        if let wait { throw .throttled(retryAfter: wait) }
    }

    /// Ends a check that was begun at `now`.
    func end(_ attempt: Attempt, failed: Bool, at now: Timestamp) {
        counts.withLock { counts in
            let left = (counts.underway[attempt.address] ?? 1) - 1
            counts.underway[attempt.address] = left > 0 ? left : nil
            guard failed else { return counts.bySource.forget(attempt) }
            counts.bySource.count(attempt, at: now)
            counts.byName.count(attempt.name, at: now)
            counts.byAddress.count(attempt.address, at: now)
        }
    }
}
