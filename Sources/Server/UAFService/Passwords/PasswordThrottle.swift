import ServerCore
import UAF

/// Throttle of password logins, by name and address, and by address over all names.
///
/// A name with many failures from everywhere is not refused, else strangers could lock its user out: attempts at it wait
/// last, but for addresses from which the user has logged in before.
///
/// The counts stand in the database, which all processes share. An attempt is counted before its password is checked
/// and taken back when the password is right: of many at the same time, in however many processes, no more than the
/// limit are ever checked, and a process that is killed meanwhile leaves a count behind, not a free attempt. Unknown
/// names are counted like all others, so neither the answer nor the limit that answers shows which users exist.
struct PasswordThrottle: Sendable {
    /// One try to log in.
    struct Attempt: Hashable, Sendable {
        let name: UserName
        /// The key under which its sender is counted.
        let address: String
    }

    /// Place of an attempt among those that wait for their check.
    enum Place: Sendable {
        case inTurn
        /// After all others.
        case last
    }

    /// Time for which an address is remembered from which a user has logged in.
    private static let memory: Duration = .seconds(90 * 86_400)

    private let settings: PasswordLoginSettings
    private let transactions: any ServerTransactionRunner

    init(_ settings: PasswordLoginSettings, _ transactions: any ServerTransactionRunner) {
        self.settings = settings
        self.transactions = transactions
    }

    /// Place of an attempt; nothing is counted.
    ///
    /// Throws ``ServerError/throttled(retryAfter:)`` when there were too many failures of its name and address, or of its
    /// address.
    func place(of attempt: Attempt, at now: Timestamp) async throws(ServerError) -> Place {
        let rule = rule(attempt, at: now)
        let crowd = CountAttempt(
            limits: [(key: Self.nameKey(attempt), limit: settings.failureLimitPerName)], window: settings.window,
            now: now)
        let known = Self.knownKey(attempt)
        let (wait, place) = try await transactions.read {
            snapshot throws(ServerTransactionFailure) -> (Duration?, Place) in
            if let wait = try rule.wait(snapshot) { return (wait, .last) }
            guard try crowd.wait(snapshot) != nil, try snapshot.attempts(known) == nil else { return (nil, .inTurn) }
            return (nil, .last)
        }
        if let wait { throw .throttled(retryAfter: wait) }
        return place
    }

    /// Counts an attempt as failed before its password is checked; throws as ``place(of:at:)``.
    func begin(_ attempt: Attempt, at now: Timestamp) async throws(ServerError) {
        let rule = rule(attempt, at: now)
        let wait = try await transactions.transaction { transaction throws(ServerTransactionFailure) in
            try rule.begin(transaction)
        }
        if let wait { throw .throttled(retryAfter: wait) }
    }

    /// Takes an attempt back whose password was right, forgets earlier failures of its name and address, and remembers
    /// that its user logs in from there.
    ///
    /// That is a count which begins at the end of ``memory``, so that it is forgotten with the counts of that day.
    func forgive(_ attempt: Attempt, at now: Timestamp) async throws(ServerError) {
        let end = now + Self.memory
        try await transactions.transaction { transaction throws(ServerTransactionFailure) in
            try transaction.forgetAttempts(Self.sourceKey(attempt))
            try transaction.takeBackAttempt(Self.nameKey(attempt))
            try transaction.takeBackAttempt(Self.addressKey(attempt))
            _ = try transaction.countAttempt(Self.knownKey(attempt), since: end, at: end)
        }
    }

    private func rule(_ attempt: Attempt, at now: Timestamp) -> CountAttempt {
        CountAttempt(
            limits: [
                (key: Self.sourceKey(attempt), limit: settings.failureLimit),
                (key: Self.nameKey(attempt), limit: .max),
                (key: Self.addressKey(attempt), limit: settings.failureLimitPerAddress),
            ], window: settings.window, now: now)
    }

    // MARK: - Keys

    /// Hashed, so that the table holds no names: people type passwords where a name belongs.
    private static func sourceKey(_ attempt: Attempt) -> AttemptKey {
        key("source", attempt.name.text, attempt.address)
    }

    private static func knownKey(_ attempt: Attempt) -> AttemptKey {
        key("known", attempt.name.text, attempt.address)
    }

    private static func nameKey(_ attempt: Attempt) -> AttemptKey { key("name", attempt.name.text) }
    private static func addressKey(_ attempt: Attempt) -> AttemptKey { key("address", attempt.address) }

    private static func key(_ parts: String...) -> AttemptKey {
        AttemptKey(of: parts.flatMap { Array("\($0.utf8.count):\($0)".utf8) })
    }
}

/// Rule about one attempt in a transaction: it is counted under all its keys, or refused and counted under none.
///
/// The keys come in the same order in every transaction (name and address, name, address), so that two transactions that
/// write the same rows wait for each other in one direction only.
private struct CountAttempt: Sendable {
    let limits: [(key: AttemptKey, limit: Int)]
    let window: Duration
    let now: Timestamp

    func wait(_ snapshot: any ServerSnapshot) throws(ServerTransactionFailure) -> Duration? {
        for (key, limit) in limits {
            guard let counted = try snapshot.attempts(key), isOpen(counted), counted.count >= limit else { continue }
            return min(counted.began, now) + window - now
        }
        return nil
    }

    /// Counts the attempt; returns the time to wait, and counts nothing, when it may not be made now.
    func begin(_ transaction: any ServerTransaction) throws(ServerTransactionFailure) -> Duration? {
        // Nothing is written for a refused attempt.
        if let wait = try wait(transaction) { return wait }
        return try transaction.undoingRefused { () throws(ServerTransactionFailure) -> Duration? in
            for (key, limit) in limits {
                let counted = try transaction.countAttempt(key, since: now - window, at: now)
                if counted.count > limit { return counted.began + window - now }
            }
            return nil
        }
    }

    /// Whether the count still holds.
    ///
    /// A count that seems to lie in the future holds too: two processes may have counted in the other order, and a clock
    /// that was set back frees no attacker.
    private func isOpen(_ counted: AttemptCount) -> Bool { now - counted.began < window }
}
