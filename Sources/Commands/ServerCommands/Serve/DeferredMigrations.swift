import CommandSupport
import Logging
import ServerCore
import ServerPersistence
import ServiceLifecycle
import Synchronization
import UAFService

/// Deferred steps of a database, run by the process that leads the maintenance while it serves.
final class DeferredMigrations: Service {
    private static let pause: Duration = .seconds(10)
    private static let pauseAfterFailure: Duration = .seconds(60)

    private let database: any SQLDatabase
    private let migrator: Migrator
    private let leads: @Sendable () -> Bool
    private let logger: Logger
    private let failure = Mutex<String?>(nil)

    init(
        of database: any SQLDatabase, by migrator: Migrator = Migrator(), logger: Logger,
        while leads: @escaping @Sendable () -> Bool
    ) {
        self.database = database
        self.migrator = migrator
        self.leads = leads
        self.logger = logger
    }

    convenience init(_ installation: ServerInstallation, logger: Logger) {
        let maintenance = installation.services.maintenance
        self.init(of: installation.database.tables, logger: logger) { maintenance.isLeading }
    }

    /// Rounds until the server stops, which does not wait for a database that builds: it goes on, or begins again later.
    func run() async throws {
        let work = Task {
            while !Task.isCancelled {
                if leads() { await round() }
                try? await Task.sleep(for: failure.withLock { $0 } == nil ? Self.pause : Self.pauseAfterFailure)
            }
        }
        try? await gracefulShutdown()
        work.cancel()
    }

    func round() async {
        do throws(ServerPersistenceError) {
            let steps = try await migrator.migrateDeferred(database) { SystemWallClock().now() }
            failure.withLock { $0 = nil }
            guard !steps.isEmpty else { return }
            logger.notice("indexes built", metadata: ["steps": "\(steps.map(String.init).joined(separator: ", "))"])
        } catch {
            let words = CommandFailure(database: error, place: nil).message
            let known = failure.withLock { failure in
                defer { failure = words }
                return failure
            }
            // Told once; the doctor says it for as long as it lasts.
            guard known != words else { return }
            logger.error("maintenance failed", metadata: ["step": "migrations", "error": "\(words)"])
        }
    }

    /// Steps that are left; nothing about a database that does not answer.
    var finding: FindingSource {
        FindingSource(.migrations, each: .seconds(30)) { [self] in
            let steps = (try? await migrator.status(of: database))?.filter(\.isLeftToServers) ?? []
            guard !steps.isEmpty else { return [] }
            let names = steps.map { "\($0.migration.number) (\($0.migration.name))" }.joined(separator: ", ")
            guard let failure = failure.withLock({ $0 }) else {
                return [.note(.migrations, "still to be built while the server serves: step \(names)")]
            }
            return [.warning(.migrations, "step \(names): \(failure)")]
        }
    }
}
