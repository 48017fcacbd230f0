/// Syslog server that is sent the audit, over TLS (RFC 5425).
package struct SyslogSettings: Sendable, Hashable {
    /// Certificate by which the syslog server knows this one.
    package struct Client: Sendable, Hashable {
        package let certificateFile: String
        package let privateKeyFile: String

        package init(certificateFile: String, privateKeyFile: String) {
            self.certificateFile = certificateFile
            self.privateKeyFile = privateKeyFile
        }
    }

    /// Name or address that its certificate has to have.
    package let host: String
    package let port: Int
    /// The only authorities of its certificate, as PEM.
    package let authorityFile: String
    /// Nil for a server that asks for none.
    package let client: Client?

    package init(host: String, port: Int, authorityFile: String, client: Client? = nil) {
        self.host = host
        self.port = port
        self.authorityFile = authorityFile
        self.client = client
    }
}
