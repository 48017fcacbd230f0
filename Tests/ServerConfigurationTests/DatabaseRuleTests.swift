import ServerConfiguration
import Testing

@Suite("Configuration file: the database")
struct DatabaseRuleTests {
    private func server(_ settings: String, files: [String: (text: String, permissions: UInt16)] = [:]) throws
        -> PostgreSQLDeployment
    {
        let database = try read("database: {driver: postgresql, \(settings)}", files: files).database
        guard case .postgreSQL(let server) = database else {
            Issue.record("\(database) is no server")
            throw CancellationError()
        }
        return server
    }

    private func found(_ settings: String, files: [String: (text: String, permissions: UInt16)] = [:]) -> [String] {
        problems("database: {driver: postgresql, \(settings)}", files: files)
    }

    @Test("Without a setting it is a file in the data directory, with one that file")
    func file() throws {
        #expect(try read("data-directory: /d").database == .sqlite(file: "/d/signet.sqlite"))
        #expect(try read("database: {file: x.sqlite}").database == .sqlite(file: "/etc/signet/x.sqlite"))
        #expect(try read("database: {driver: sqlite, file: /x}").database == .sqlite(file: "/x"))
        #expect(problems("database: {driver: oracle}").count == 1)
    }

    @Test("The page caches of a file have the size that is set, in MiB, and one by the memory without it")
    func cacheSize() throws {
        #expect(try read("database: {file: /x, cache-size: 16}").database == .sqlite(file: "/x", cacheSize: 16))
        #expect(try read("database: {file: /x}").database == .sqlite(file: "/x", cacheSize: nil))
        for size in [15, 65_537] {
            #expect(problems("database: {file: /x, cache-size: \(size)}").contains { $0.contains("cache-size") })
        }
        #expect(found("host: a, cache-size: 64").contains { $0.contains("database.cache-size: unknown setting") })
    }

    @Test("A server needs a host; everything else has a default")
    func defaults() throws {
        let server = try server("host: db.example.com")
        #expect(server.place == "postgresql://signet@db.example.com:5432/signet")
        #expect(server.verification == .full && server.rootCertificatesFile == nil && server.passwordFile == nil)
        #expect(server.connectionCount == 8 && server.statementTimeout == .seconds(10))
        #expect(found("port: 5432").contains { $0.contains("database.host: must be given") })
    }

    @Test("The settings of one driver are unknown to the other")
    func foreignSettings() {
        #expect(found("host: a, file: b").contains { $0.contains("database.file: unknown setting") })
        #expect(problems("database: {file: b, host: a}").contains { $0.contains("database.host: unknown setting") })
    }

    @Test(
        "TLS is left out on this machine only",
        arguments: [("/run/postgresql", true), ("localhost", true), ("127.0.0.1", true), ("10.0.0.1", false)])
    func protection(host: String, isLocal: Bool) throws {
        #expect(try server("host: \"\(host)\"").verification == (isLocal ? .disabled : .full))
        #expect(try server("host: \"\(host)\", tls: {verification: verify-ca}").verification == .authority)
        #expect(found("host: \"\(host)\", tls: {verification: disable}").isEmpty == isLocal)
        #expect(found("host: \"\(host)\", tls: {verification: require}").count == 1)
    }

    @Test("A password stands in a file that only its owner may read, and in no setting")
    func password() throws {
        let files: [String: (text: String, permissions: UInt16)] = [
            "/etc/signet/own": ("canary", 0o600), "/etc/signet/open": ("canary", 0o644),
        ]
        #expect(try server("host: a, password-file: own", files: files).passwordFile == "/etc/signet/own")
        let exposed = found("host: a, password-file: open", files: files)
        #expect(exposed.count == 1 && exposed[0].contains("chmod 600") && !exposed[0].contains("canary"))
        let unknown = found("host: a, password: canary")
        #expect(unknown.count == 1 && unknown[0].contains("database.password: unknown setting"))
        #expect(!unknown.joined().contains("canary"))
    }

    @Test("A client certificate comes with its key")
    func clientCertificate() throws {
        let files: [String: (text: String, permissions: UInt16)] = [
            "/etc/signet/c.pem": ("c", 0o644), "/etc/signet/k.pem": ("k", 0o600),
        ]
        let both = try server("host: a, tls: {certificate-file: c.pem, private-key-file: k.pem}", files: files)
        #expect(both.certificateFile == "/etc/signet/c.pem" && both.privateKeyFile == "/etc/signet/k.pem")
        #expect(found("host: a, tls: {certificate-file: c.pem}", files: files).count == 1)
        #expect(found("host: a, tls: {private-key-file: k.pem}", files: files).count == 1)
    }

    @Test("Numbers and times have bounds")
    func bounds() {
        #expect(found("host: a, connections: 3").count == 1 && found("host: a, connections: 4").isEmpty)
        #expect(found("host: a, statement-timeout: 61s").count == 1 && found("host: a, lock-timeout: 60s").isEmpty)
        #expect(found("host: a, port: 0").count == 1)
    }
}
