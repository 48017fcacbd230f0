import Foundation
import ServerPersistence
import ServerPersistencePostgreSQL
import TestSupport
import Testing

@Suite("A PostgreSQL server that does not let an account in: the reason says what helps")
struct PostgreSQLRefusalTests {
    /// Account, database, and what was done to them.
    struct Case: Sendable, CustomTestStringConvertible {
        let preparation: [String]
        let user: String
        let database: String
        let reason: DatabaseServerFailure.Reason

        var testDescription: String { preparation.last ?? "role \(user), database \(database)" }
    }

    static let cases = [
        Case(
            preparation: ["CREATE ROLE busy LOGIN CONNECTION LIMIT 0"], user: "busy", database: "postgres",
            reason: .tooManyConnections),
        Case(
            preparation: ["CREATE ROLE guest LOGIN", "CREATE DATABASE full_up CONNECTION LIMIT 0"], user: "guest",
            database: "full_up", reason: .tooManyConnections),
        Case(
            preparation: [
                "CREATE ROLE guest LOGIN", "CREATE DATABASE closed", "REVOKE CONNECT ON DATABASE closed FROM PUBLIC",
            ], user: "guest", database: "closed", reason: .permission),
        Case(
            preparation: ["CREATE DATABASE resting ALLOW_CONNECTIONS false"], user: "signet", database: "resting",
            reason: .shutdown),
        Case(preparation: ["CREATE ROLE idle NOLOGIN"], user: "idle", database: "postgres", reason: .unauthorized),
        Case(preparation: [], user: "absent", database: "postgres", reason: .unauthorized),
        Case(preparation: [], user: "signet", database: "absent", reason: .databaseMissing),
    ]

    private static func refusal(_ settings: PostgreSQLSettings) async throws -> DatabaseServerFailure.Reason? {
        do throws(ServerPersistenceError) {
            _ = try await PostgreSQLDatabase(settings).read { connection throws(ServerPersistenceError) in
                try connection.row("SELECT 1", [])
            }
            return nil
        } catch {
            guard case .server(let failure) = error else { throw error }
            return failure.reason
        }
    }

    @Test("Roles and databases with limits, without rights, and absent ones", arguments: cases)
    func accounts(refused: Case) async throws {
        let cluster = try PostgresCluster()
        for statement in refused.preparation { try cluster.run(statement) }
        let settings = PostgreSQLSettings(
            host: cluster.folder, port: cluster.port, database: refused.database, user: refused.user)
        #expect(try await Self.refusal(settings) == refused.reason)
    }

    @Test("Over TLS: an address without an entry in pg_hba.conf, and a certificate of the client that is asked for")
    func entries() async throws {
        let authority = try TestAuthority()
        let folder = try TemporaryFolder()
        try folder.overwrite("ca.pem", with: authority.pem())
        let cluster = try PostgresCluster(authority.databaseCertificate(for: "localhost"))
        let settings = PostgreSQLSettings(
            host: "localhost", port: cluster.port, database: "postgres", user: "signet",
            protection: .knownHost(rootCertificatesFile: folder.path + "/ca.pem"))
        #expect(try await Self.refusal(settings) == nil)
        try cluster.run("ALTER SYSTEM SET ssl_ca_file = '\(cluster.folder)/server.crt'")
        for entry in ["", "hostssl all all 127.0.0.1/32 trust clientcert=verify-ca"] {
            try Data("local all all trust\n\(entry)\n".utf8).write(
                to: URL(filePath: cluster.folder + "/data/pg_hba.conf"), options: [])
            try cluster.restart(.fast)
            #expect(try await Self.refusal(settings) == .unauthorized, "\(entry)")
        }
    }
}
