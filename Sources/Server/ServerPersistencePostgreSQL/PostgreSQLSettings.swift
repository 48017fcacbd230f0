import ServerCore

/// Address of a PostgreSQL database, and the rules of its connections.
package struct PostgreSQLSettings: Sendable, Hashable {
    /// Protection of the way to the server.
    package enum Protection: Sendable, Hashable {
        /// No TLS: for Unix sockets and loopback.
        case none
        /// TLS 1.2 or later with a certificate that one of the authorities in the file (PEM) has issued, for any host.
        case knownAuthority(rootCertificatesFile: String)
        /// As ``knownAuthority(rootCertificatesFile:)``, and the certificate names the host.
        case knownHost(rootCertificatesFile: String)
    }

    /// Certificate by which this server proves to the database server who it is.
    package struct ClientCertificate: Sendable, Hashable {
        /// Files of the certificate and its private key (PEM).
        package let certificateFile: String
        package let privateKeyFile: String

        package init(certificateFile: String, privateKeyFile: String) {
            self.certificateFile = certificateFile
            self.privateKeyFile = privateKeyFile
        }
    }

    /// Authorities that the system trusts, on Debian.
    package static let systemRootCertificatesFile = "/etc/ssl/certs/ca-certificates.crt"

    /// Host name, IP address, or the folder of a Unix socket (absolute).
    package var host: String
    /// Port; of a Unix socket the number in its name.
    package var port: Int
    package var database: String
    package var user: String
    /// File with the password, read at each new connection; nil for accounts without one.
    package var passwordFile: String?
    package var protection: Protection
    package var clientCertificate: ClientCertificate?
    /// Name of this process in the views of the database server.
    package var applicationName = "signet-server"
    /// Connections that read; there are two more that write.
    package var readerCount = 6
    package var waitingReadCount = 1_000
    /// Time for a new connection, counted for each address of the host.
    package var connectTimeout: Duration = .seconds(5)
    /// Time for one statement, zero for no limit; migrations have no limit.
    ///
    /// A server that has not answered a second later, and for a request a second after its deadline, counts as gone: the
    /// connection is given up.
    package var statementTimeout: Duration = .seconds(10)
    package var lockTimeout: Duration = .seconds(5)

    /// Describes a database; without another `protection` the server has to have a certificate of an authority that the
    /// system trusts, unless `host` is a Unix socket or loopback.
    package init(host: String, port: Int = 5_432, database: String, user: String, protection: Protection? = nil) {
        self.host = host
        self.port = port
        self.database = database
        self.user = user
        self.protection =
            protection
            ?? (Self.isLocal(host) ? .none : .knownHost(rootCertificatesFile: Self.systemRootCertificatesFile))
    }

    /// Whether what is sent to a host never leaves this machine.
    package static func isLocal(_ host: String) -> Bool {
        host.hasPrefix("/") || ["localhost", "127.0.0.1", "::1"].contains(host)
    }

    /// Parameters of libpq, without the password; what stands here comes before the environment of the process.
    var parameters: [(name: String, value: String)] {
        [
            ("host", host), ("port", String(port)), ("dbname", database), ("user", user),
            ("passfile", "/dev/null/none"),
            ("application_name", applicationName), ("client_encoding", "UTF8"), ("gssencmode", "disable"),
            ("target_session_attrs", "read-write"), ("options", options),
            // A peer that is gone without a word is noticed within half a minute.
            ("keepalives_idle", "10"), ("keepalives_interval", "5"), ("keepalives_count", "3"),
            ("tcp_user_timeout", "15000"),
        ] + protectionParameters
    }

    private var protectionParameters: [(name: String, value: String)] {
        var parameters: [(name: String, value: String)] = [("ssl_min_protocol_version", "TLSv1.2")]
        switch protection {
        case .none: parameters.append(("sslmode", "disable"))
        case .knownAuthority(let file): parameters += [("sslmode", "verify-ca"), ("sslrootcert", file)]
        case .knownHost(let file): parameters += [("sslmode", "verify-full"), ("sslrootcert", file)]
        }
        if let clientCertificate {
            parameters += [
                ("sslcert", clientCertificate.certificateFile), ("sslkey", clientCertificate.privateKeyFile),
            ]
        }
        return parameters
    }

    private var options: String {
        [
            "statement_timeout=\(statementTimeout.wholeMilliseconds)", "lock_timeout=\(lockTimeout.wholeMilliseconds)",
            // A transaction never pauses: a paused one holds rows that others wait for.
            "idle_in_transaction_session_timeout=10000",
            // The locks of a machine that is gone without a word are free within half a minute, and with them its lead.
            "tcp_keepalives_idle=10", "tcp_keepalives_interval=5", "tcp_keepalives_count=3", "tcp_user_timeout=15000",
            "client_min_messages=warning", "bytea_output=hex",
            // A prepared statement keeps its plan. One for a table that was analyzed while it was empty would read all of it until
            // the next analysis; every look-up has an index.
            "enable_seqscan=off",
            // Statements are short. Where one seems costly, such as a removal from a large table, the server would compile it
            // for longer than it runs.
            "jit=off",
            // What a new session has (``PostgreSQLSessionSettings``), whatever the database or the role has.
            "plan_cache_mode=\(PostgreSQLSessionSettings.Plans.chosen.rawValue)",
        ].map { "-c " + $0 }.joined(separator: " ")
    }
}
