/// What the client knows of the TLS connection to the server; everything may be unknown.
///
/// FIDO UAF Protocol 1.1, 3.1.10. All values are kept as the base64url text they travel in.
public struct ChannelBinding: Hashable, Sendable {
    /// Hash of the server's certificate (`tls-server-end-point`, RFC 5929).
    public var serverEndPoint: String?
    /// The server's certificate.
    public var tlsServerCertificate: String?
    /// TLS Finished message; deprecated, read but never sent by this package.
    public var tlsUnique: String?
    /// TLS channel ID key, or `unused`.
    public var channelIDPublicKey: String?

    /// Knows nothing.
    public init() {}

    /// Knows the server's certificate, by hash or whole.
    public init(serverEndPoint: String?, tlsServerCertificate: String?) {
        self.serverEndPoint = serverEndPoint
        self.tlsServerCertificate = tlsServerCertificate
    }

    /// Whether nothing is known.
    public var isEmpty: Bool { self == ChannelBinding() }
}
