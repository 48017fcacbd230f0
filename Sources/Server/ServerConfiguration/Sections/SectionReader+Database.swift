import StrictYAML

extension SectionReader {
    mutating func readDatabase(standardFile: String) -> DatabaseDeployment {
        switch choice("driver", default: DatabaseDeployment.Driver.sqlite) {
        case .sqlite: .sqlite(file: path("file") ?? standardFile, cacheSize: readCacheSize())
        case .postgresql: .postgreSQL(readServer())
        }
    }

    /// Size of the page caches in MiB; nil without the setting.
    private mutating func readCacheSize() -> Int? {
        has("cache-size") ? integer("cache-size", in: 16...65_536, default: 64) : nil
    }

    private mutating func readServer() -> PostgreSQLDeployment {
        let host = text("host") ?? missing("host")
        let port = integer("port", in: 1...65_535, default: 5_432)
        let name = text("name") ?? "signet"
        let user = text("user") ?? "signet"
        let password = secretFilePath("password-file")
        let isLocal = PostgreSQLDeployment.isLocal(host)
        let security = section("tls") { $0.readVerification(isLocal: isLocal) }
        return PostgreSQLDeployment(
            host: host, port: port, name: name, user: user, passwordFile: password,
            verification: security.verification, rootCertificatesFile: security.roots,
            certificateFile: security.certificate, privateKeyFile: security.key,
            connectionCount: integer("connections", in: 4...100, default: 8),
            connectTimeout: duration("connect-timeout", in: .seconds(2)...(.seconds(60)), default: .seconds(5)),
            statementTimeout: duration(
                "statement-timeout", in: .milliseconds(100)...(.seconds(60)), default: .seconds(10)),
            lockTimeout: duration("lock-timeout", in: .milliseconds(100)...(.seconds(60)), default: .seconds(5)))
    }

    private typealias Security = (
        verification: PostgreSQLDeployment.Verification, roots: String?, certificate: String?, key: String?
    )

    /// The section `database.tls`: nothing that leaves the machine goes without TLS and a verified server.
    private mutating func readVerification(isLocal: Bool) -> Security {
        let verification = choice(
            "verification", default: isLocal ? PostgreSQLDeployment.Verification.disabled : .full)
        if verification == .disabled, !isLocal {
            report("verification", .notAllowed(rule: "may be disable for a Unix socket or loopback only"))
        }
        let (roots, certificate) = (filePath("root-certificates-file"), filePath("certificate-file"))
        let key = secretFilePath("private-key-file")
        if (certificate == nil) != (key == nil), has("certificate-file") != has("private-key-file") {
            report(certificate == nil ? "certificate-file" : "private-key-file", .missing)
        }
        return (verification, roots, certificate, key)
    }

    private mutating func missing(_ key: String) -> String {
        if !has(key) { report(key, .missing) }
        return ""
    }
}
