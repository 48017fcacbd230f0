import ServerCore

/// Throttle of names and recovery codes, by name and address, and by address over all names.
///
/// A name alone is never refused, else strangers could close the way back of its user: 80 bits are not guessed. The counts
/// stand in the database, which all processes share; unknown names are counted like all others.
struct RecoveryThrottle: Sendable {
    private static let limit = 5
    private static let addressLimit = 50
    private static let window: Duration = .seconds(900)

    /// Hashed, so that the table holds no names.
    func keys(_ name: String, _ address: String) -> [AttemptKey] {
        [
            AttemptKey(of: "recovery\0\(address)\0\(name)".utf8), AttemptKey(of: "recovery\0\(address)".utf8),
        ]
    }

    /// Counts an attempt under both keys; the time to wait when there were too many.
    func count(
        _ keys: [AttemptKey], at now: Timestamp, in transaction: any ServerTransaction
    ) throws(ServerTransactionFailure) -> Duration? {
        for (key, limit) in zip(keys, [Self.limit, Self.addressLimit]) {
            let counted = try transaction.countAttempt(key, since: now - Self.window, at: now)
            guard counted.count <= limit else { return counted.began + Self.window - now }
        }
        return nil
    }

    /// Takes an attempt back that was right.
    func forget(_ keys: [AttemptKey], in transaction: any ServerTransaction) throws(ServerTransactionFailure) {
        for key in keys { try transaction.takeBackAttempt(key) }
    }
}
