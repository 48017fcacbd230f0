import ServerPersistence
import Synchronization

/// Way to the server for all connections of a database: waits after failures, so that a server that comes back is not
/// overrun, and no request waits for one that is away.
final class PostgreSQLGate: Sendable {
    /// Wait after the first failure; it doubles with each further one.
    static let firstWait: Duration = .milliseconds(50)
    static let longestWait: Duration = .seconds(1)

    private struct State: Sendable {
        var failure: ServerPersistenceError?
        var failures = 0
        var closedUntil = ContinuousClock.now
    }

    private let settings: PostgreSQLSettings
    private let state = Mutex(State())

    init(_ settings: PostgreSQLSettings) {
        self.settings = settings
    }

    /// Connects until a moment at the latest, or throws the last failure at once while the wait after it lasts.
    ///
    /// Throws ``DatabaseServerFailure/Reason/overloaded`` when hardly any time was left: that says nothing about the server.
    func connect(
        for purpose: PostgreSQLSessionSettings.Purpose = .writing, until end: ContinuousClock.Instant? = nil
    ) throws(ServerPersistenceError) -> PostgreSQLSession {
        let recent = state.withLock { $0.closedUntil > ContinuousClock.now ? $0.failure : nil }
        if let recent { throw recent }
        let begun = ContinuousClock.now
        do throws(ServerPersistenceError) {
            let session = try PostgreSQLSession(settings, for: purpose, until: end)
            state.withLock { $0 = State() }
            return session
        } catch {
            let now = ContinuousClock.now
            if let end, end <= now, now - begun < Self.longestWait {
                throw .server(DatabaseServerFailure(.overloaded))
            }
            state.withLock { state in
                state.failure = error
                state.closedUntil = ContinuousClock.now + Self.wait(after: state.failures)
                state.failures = min(state.failures + 1, 16)
            }
            throw error
        }
    }

    /// Wait after so many failures, up to a quarter longer by chance.
    private static func wait(after failures: Int) -> Duration {
        min(firstWait * (1 << failures), longestWait) * Double.random(in: 1...1.25)
    }
}
