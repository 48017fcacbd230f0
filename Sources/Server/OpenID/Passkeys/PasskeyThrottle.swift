import ServerCore

/// Bound of what pages ask and answer about passkeys, by page and by network; the counts stand in the database.
///
/// A name is never refused: strangers could keep its user out.
enum PasskeyThrottle: String, Sendable {
    /// Names whose passkeys a page asks for.
    case names
    /// Answers of authenticators.
    case answers

    static let pageLimit = 20
    static let networkLimit = 400
    static let window: Duration = .seconds(300)

    /// Counts a try; the time to wait when there were too many.
    func count(
        _ page: AuthorizationSession, from network: String, at now: Timestamp, in transaction: any ServerTransaction
    ) throws(ServerTransactionFailure) -> Duration? {
        for (subject, limit) in [(page.id.text, Self.pageLimit), ("network\0" + network, Self.networkLimit)] {
            let counted = try transaction.countAttempt(
                AttemptKey(of: "passkey \(rawValue)\0\(subject)".utf8), since: now - Self.window, at: now)
            guard counted.count <= limit else { return max(.seconds(1), counted.began + Self.window - now) }
        }
        return nil
    }
}
