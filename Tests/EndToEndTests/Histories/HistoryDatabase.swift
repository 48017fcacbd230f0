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
    /// Time after which nothing comes any more of a transaction whose process was killed.
    let grace: Duration

    /// A new database: the file in the data folder of the servers, or one on a PostgreSQL of its own, which can be
    /// restarted.
    init(_ kind: StoredDatabase) throws {
        switch kind {
        case .sqlite:
            // A transaction ends with its process.
            (settings, blows, grace) = ("", [], .zero)
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
            grace = .seconds(2)
        }
    }

    private static let disconnection =
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND usename = 'signet'"
}
