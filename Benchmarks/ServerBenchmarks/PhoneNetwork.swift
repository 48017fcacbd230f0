import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import TestSupport

/// Shared resources of the phones of one load: the server's address and the certificate authority they trust.
///
/// One thread serves all connections. A general HTTP client would cost more than the server it is to measure.
final class PhoneNetwork: Sendable {
    /// Maximum size of a response in bytes.
    private static let answerByteLimit = 64 << 10

    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private let context: NIOSSLContext
    /// Sessions of TLS that connections resume; nil when each has a full handshake.
    private let sessions: TLSSessions?
    private let port: Int

    /// Trusts the certificate authority of `server` and no other one.
    convenience init(to server: some MeasuredServer, resumes: Bool = false) throws {
        try self.init(port: server.port, authorityFile: server.authorityFile, resumes: resumes)
    }

    /// Trusts the certificate authority of a file and no other one.
    init(port: Int, authorityFile: String, resumes: Bool = false) throws {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.trustRoots = .file(authorityFile)
        configuration.applicationProtocols = ["http/1.1"]
        context = try NIOSSLContext(configuration: configuration)
        sessions = try resumes ? TLSSessions(of: context) : nil
        self.port = port
    }

    /// Opens a connection, whose requests carry the access key if there is one; the handshake ends before the first
    /// response does.
    func connect(accessKey: String? = nil) async throws -> PhoneConnection {
        let (context, sessions) = (self.context, self.sessions)
        let channel = try await ClientBootstrap(group: group)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .connectTimeout(.seconds(5))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(
                        try sessions?.handler() ?? NIOSSLClientHandler(context: context, serverHostname: nil))
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
