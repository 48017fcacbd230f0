import ServerPersistence
import ServerPersistencePostgreSQL
import TestSupport
import Testing

@Suite("TLS to the database server")
struct PostgreSQLTLSTests {
    private let authority: TestAuthority
    private let folder: TemporaryFolder

    init() throws {
        authority = try TestAuthority()
        folder = try TemporaryFolder()
        try folder.overwrite("ca.pem", with: authority.pem())
        try folder.overwrite("other.pem", with: TestAuthority().pem())
    }

    private var rootFile: String { folder.path + "/ca.pem" }
    private var otherFile: String { folder.path + "/other.pem" }

    /// The reason for which the server is refused; nil when it is taken, and then over TLS or not as `isEncrypted` says.
    private func refusal(
        of cluster: PostgresCluster, host: String = "localhost", _ protection: PostgreSQLSettings.Protection,
        isEncrypted: Bool = true
    ) async throws -> DatabaseServerFailure.Reason? {
        let database = try PostgreSQLDatabase(
            PostgreSQLSettings(
                host: host, port: cluster.port, database: "postgres", user: "signet", protection: protection))
        do throws(ServerPersistenceError) {
            let row = try await database.read { connection throws(ServerPersistenceError) in
                try connection.row("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()", [])
            }
            #expect(row == SQLRow([.integer(isEncrypted ? 1 : 0)]))
            return nil
        } catch {
            guard case .server(let failure) = error else { throw error }
            return failure.reason
        }
    }

    @Test("A certificate for the host by a known authority is taken, any other one refused")
    func hosts() async throws {
        let right = try PostgresCluster(authority.databaseCertificate(for: "localhost"))
        #expect(try await refusal(of: right, .knownHost(rootCertificatesFile: rootFile)) == nil)
        #expect(try await refusal(of: right, .knownHost(rootCertificatesFile: otherFile)) == .untrusted)
        #expect(
            try await refusal(of: right, .knownHost(rootCertificatesFile: folder.path + "/absent.pem")) == .untrusted)
        #expect(
            try await refusal(of: right, host: "127.0.0.1", .knownHost(rootCertificatesFile: rootFile)) == .untrusted)
        let wrong = try PostgresCluster(authority.databaseCertificate(for: "db.example.com"))
        #expect(try await refusal(of: wrong, .knownHost(rootCertificatesFile: rootFile)) == .untrusted)
        #expect(try await refusal(of: wrong, .knownAuthority(rootCertificatesFile: rootFile)) == nil)
        #expect(try await refusal(of: wrong, .knownAuthority(rootCertificatesFile: otherFile)) == .untrusted)
    }

    @Test("A server without TLS is refused where TLS is asked for, and taken where it is not")
    func plaintext() async throws {
        let plain = try PostgresCluster(listensOnLoopback: true)
        #expect(try await refusal(of: plain, .knownHost(rootCertificatesFile: rootFile)) == .untrusted)
        #expect(try await refusal(of: plain, .knownAuthority(rootCertificatesFile: rootFile)) == .untrusted)
        #expect(try await refusal(of: plain, .none, isEncrypted: false) == nil)
    }

    @Test(
        "Without a setting everything but this machine has to prove its name",
        arguments: [("/run/postgresql", true), ("localhost", true), ("::1", true), ("db.example.com", false)])
    func standard(host: String, isLocal: Bool) {
        let settings = PostgreSQLSettings(host: host, database: "signet", user: "signet")
        let system = PostgreSQLSettings.systemRootCertificatesFile
        #expect(settings.protection == (isLocal ? .none : .knownHost(rootCertificatesFile: system)))
    }
}
