import ServerPersistence

/// Wait for a database that another process has for itself, such as one that brings it to a new form.
///
/// That may take half a minute for a million users. A server that starts meanwhile waits, and so does `migrate apply`;
/// another command says after one attempt that the database is locked.
struct BusyDatabase: Sendable {
    /// Attempts of a waiting command; each waits five seconds by itself, ten minutes together.
    static let patientAttempts = 120

    let attempts: Int
    /// Called before each attempt but the first.
    var tell: @Sendable () -> Void = {}

    /// Result of `use`, which is tried again while the database is locked; throws what the last attempt throws.
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
    /// Whether another process has the database locked (SQLITE_BUSY, SQLITE_LOCKED, or a lock on a server).
    var isLock: Bool {
        switch self {
        // The lowest byte of an extended result code is the primary one.
        case .unavailable(let code): [5, 6].contains(code & 0xFF)
        case .server(let failure): failure.reason == .lockTimeout
        default: false
        }
    }
}
