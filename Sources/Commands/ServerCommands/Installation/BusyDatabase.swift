import ServerPersistence

/// Wait for a database file that another process has for itself, such as one that brings it to a new form.
///
/// That may take half a minute for a million users. A server that starts meanwhile waits, as it does for a database on
/// a server; a command says at once that the file is locked.
struct BusyDatabase: Sendable {
    /// Attempts of a server, each of which waits for five seconds by itself: ten minutes together.
    static let attemptsOfServer = 120

    private let attempts: Int
    private let tell: @Sendable () -> Void

    /// Tries `attempts` times, at least once, and calls `tell` before each further attempt.
    init(attempts: Int, tell: @escaping @Sendable () -> Void = {}) {
        self.attempts = attempts
        self.tell = tell
    }

    /// Result of `use`, which is tried again while the file is locked; throws what the last attempt throws.
    func retried<Value>(
        _ use: () async throws(ServerPersistenceError) -> Value
    ) async throws(ServerPersistenceError) -> Value {
        for _ in 1..<max(attempts, 1) {
            do throws(ServerPersistenceError) {
                return try await use()
            } catch {
                guard error.isLock else { throw error }
                tell()
            }
        }
        return try await use()
    }
}

extension ServerPersistenceError {
    /// Whether another process has the database file locked (SQLITE_BUSY, SQLITE_LOCKED).
    var isLock: Bool {
        // The lowest byte of an extended result code is the primary one.
        if case .unavailable(let code) = self { [5, 6].contains(code & 0xFF) } else { false }
    }
}
