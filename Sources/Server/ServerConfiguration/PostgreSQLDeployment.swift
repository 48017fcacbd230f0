/// Database on a PostgreSQL server, and the way to it.
package struct PostgreSQLDeployment: Sendable, Hashable {
    /// Verification of the server by TLS, named as in libpq.
    package enum Verification: String, CaseIterable, Sendable {
        /// The certificate is of a known authority and names the host.
        case full = "verify-full"
        /// The certificate is of a known authority.
        case authority = "verify-ca"
        case disabled = "disable"
    }

    /// Host name, address, or the folder of a Unix socket.
    package var host: String
    package var port: Int
    package var name: String
    package var user: String
    package var passwordFile: String?
    package var verification: Verification
    /// Authorities that the server's certificate may be of (PEM); nil for the system's.
    package var rootCertificatesFile: String?
    /// Certificate and key by which this server proves itself to the database server (PEM); nil for none.
    package var certificateFile: String?
    package var privateKeyFile: String?
    /// Connections of this process at most, of which two write.
    package var connectionCount: Int
    package var connectTimeout: Duration
    /// Time for one statement; zero for any.
    package var statementTimeout: Duration
    package var lockTimeout: Duration

    /// Whether what is sent to a host never leaves this machine.
    static func isLocal(_ host: String) -> Bool {
        host.hasPrefix("/") || ["localhost", "127.0.0.1", "::1"].contains(host)
    }

    /// The server, as a URL without a password.
    package var place: String { "postgresql://\(user)@\(host.contains(":") ? "[\(host)]" : host):\(port)/\(name)" }
}
