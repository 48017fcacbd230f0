import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// Shared resources of the phones of one load: the server's address and the certificate authority they trust.
///
/// One thread serves all connections. A general HTTP client would cost more than the server it is to measure.
final class PhoneNetwork: Sendable {
    /// Maximum size of a response in bytes.
    private static let answerByteLimit = 64 << 10

    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private let context: NIOSSLContext
    private let port: Int

    /// Trusts the certificate authority of `server` and no other one.
    convenience init(to server: some MeasuredServer) throws {
        try self.init(port: server.port, authorityFile: server.authorityFile)
    }

    /// Trusts the certificate authority of a file and no other one.
    init(port: Int, authorityFile: String) throws {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.trustRoots = .file(authorityFile)
        configuration.applicationProtocols = ["http/1.1"]
        context = try NIOSSLContext(configuration: configuration)
        self.port = port
    }

    /// Opens a connection, whose requests carry the access key if there is one; the handshake ends before the first
    /// response does.
    func connect(accessKey: String? = nil) async throws -> PhoneConnection {
        let context = self.context
        let channel = try await ClientBootstrap(group: group)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .connectTimeout(.seconds(5))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(try NIOSSLClientHandler(context: context, serverHostname: nil))
                    try pipeline.addHTTPClientHandlers()
                    try pipeline.addHandler(NIOHTTPClientResponseAggregator(maxContentLength: Self.answerByteLimit))
                    try pipeline.addHandler(ExchangeHandler())
                }
            }
            .connect(host: "127.0.0.1", port: port).get()
        return PhoneConnection(channel: channel, port: port, accessKey: accessKey)
    }

    /// Ends the thread.
    func shutDown() async throws { try await group.shutdownGracefully() }
}
