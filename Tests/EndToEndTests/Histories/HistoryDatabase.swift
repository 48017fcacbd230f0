import DemoCommands
import Foundation
import ServerPersistence
import ServerPersistencePostgreSQL
import ServerPersistenceSQLite
import TestSupport

/// Database that the servers of a stage share.
struct HistoryDatabase: Sendable {
    /// Event that falls on the database from outside.
    struct Blow: Sendable {
        /// Name, for people.
        let name: String
        /// The event itself, which has ended when this returns.
        let fall: @Sendable () throws -> Void
    }

    /// Lines of the configuration that lead servers and commands to it.
    let settings: String
    /// What can happen to it while servers work: restarts, and the end of all connections; nothing to a file.
    let blows: [Blow]
    /// Waits until nothing can come any more of a transaction whose process was killed.
    let awaitEndOfTransactions: @Sendable () throws -> Void
    /// Opens it beside its servers, of which this is one.
    let open: @Sendable (LocalServer) throws -> any SQLDatabase

    /// A new database: the file in the data folder of the servers, or one on a PostgreSQL of its own, which can be
    /// restarted.
    init(_ kind: StoredDatabase) throws {
        switch kind {
        case .sqlite:
            // A transaction ends with its process.
            (settings, blows, awaitEndOfTransactions) = ("", [], {})
            open = { try SQLiteDatabase(path: $0.databaseFile.path()) }
        case .postgreSQL:
            let cluster = try PostgresCluster()
            let name = cluster.freshName()
            try cluster.createDatabase(name)
            settings = """
                database:
                  driver: postgresql
                  host: \(cluster.folder)
                  port: \(cluster.port)
                  name: \(name)
                  user: signet
                  lock-timeout: 1s

                """
            blows = [
                Blow(name: "database restarted, immediate") { try cluster.restart() },
                Blow(name: "connections to the database ended") { try cluster.run(Self.disconnection) },
                Blow(name: "database restarted, fast") { try cluster.restart(.fast) },
            ]
            // What a process has sent before its death may still wait for a lock, and then commit.
            awaitEndOfTransactions = { try cluster.run(Self.silence) }
            open = { _ in try PostgreSQLDatabase(cluster.settings(name)) }
        }
    }

    /// Looks ten times a second until four looks in a row find no connection at work, twice as long as a lock waits at most.
    private static let silence = """
        DO $$ DECLARE quiet int := 0; BEGIN FOR look IN 1..20 LOOP \
        PERFORM pg_stat_clear_snapshot(); \
        quiet := CASE WHEN EXISTS (SELECT FROM pg_stat_activity WHERE usename = 'signet' AND pid <> pg_backend_pid() \
        AND state <> 'idle') THEN 0 ELSE quiet + 1 END; \
        EXIT WHEN quiet = 4; PERFORM pg_sleep(0.1); END LOOP; END $$
        """

    private static let disconnection =
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND usename = 'signet'"
}
