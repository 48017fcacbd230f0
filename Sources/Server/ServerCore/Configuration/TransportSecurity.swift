/// TLS mode of the service listener.
package enum TransportSecurity: Sendable, Hashable {
    /// TLS with a certificate for the loopback names, made by the server itself and kept in its data directory.
    case ownCertificate
    /// TLS with a certificate chain and its private key from files in PEM form.
    case certificate(chainFile: String, privateKeyFile: String)
    /// No TLS; allowed on a loopback address only, for a proxy on the same machine.
    case plain
}
