/// Listeners of the server, with their TLS, proxies and limits.
package struct HTTPSettings: Sendable, Hashable {
    /// The listener for phones and applications.
    package var service = ListenerAddress(host: "127.0.0.1", port: 8443)
    /// The listener for liveness, health and metrics.
    package var management = ManagementSettings()
    /// The listener for administrators; nil: a Unix socket beside the database only.
    package var administration: AdministrationSettings?
    package var security = TransportSecurity.ownCertificate
    /// Origin under which clients reach the service, such as `https://login.example.com`; nil: host and port as bound.
    package var publicOrigin: String?
    package var proxies = ProxySettings()
    package var limits = RequestLimits()

    package init() {}
}

extension HTTPSettings {
    /// Whether clients see the certificate of the service listener: it ends TLS, and no trusted proxy ends it before.
    ///
    /// Proxies that send the header of the PROXY protocol pass TLS on as it is; others speak HTTP, so they end it.
    package var showsOwnCertificate: Bool {
        security != .plain && (proxies.trusted.isEmpty || proxies.preamble == .v2)
    }
}
