import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// What the phones of one load share: the way to the server and the certificate authority they trust.
///
/// One thread serves all connections. A general HTTP client would cost more than the server it is to measure.
final class PhoneNetwork: Sendable {
    /// Bytes of an answer at most.
    private static let answerByteLimit = 64 << 10

    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private let context: NIOSSLContext
    private let port: Int

    /// Trusts the authority of `server` and nobody else.
    init(to server: some MeasuredServer) throws {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.trustRoots = .file(server.authorityFile)
        configuration.applicationProtocols = ["http/1.1"]
        context = try NIOSSLContext(configuration: configuration)
        port = server.port
    }

    /// Opens a connection, which shows an access key with every request if there is one; the handshake ends before the
    /// first answer does.
    func connect(accessKey: String? = nil) async throws -> PhoneConnection {
        let context = self.context
        let channel = try await ClientBootstrap(group: group)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
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
