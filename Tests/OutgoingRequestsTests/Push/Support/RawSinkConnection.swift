import NIOCore
import NIOPosix
import NIOSSL

/// A client that sends octets over TLS, well-formed or not, and reads until the server ends the connection.
enum RawSinkConnection {
    /// Everything that comes back; a caller that is answered and not sent away waits for the time limit of the test.
    static func answer(to text: String, port: Int, trusting authorityPEM: String) async throws -> String {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(Array(authorityPEM.utf8)))
        let context = try NIOSSLContext(configuration: tls)
        let (pieces, continuation) = AsyncStream<String>.makeStream()
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton).connectTimeout(
            .minutes(5)
        )
        .channelInitializer { channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHandlers([
                    try NIOSSLClientHandler(context: context, serverHostname: "localhost"),
                    Receiver(continuation),
                ])
            }
        }
        .connect(host: "127.0.0.1", port: port).get()
        // A server that has closed already is no error.
        try? await channel.writeAndFlush(ByteBuffer(string: text)).get()
        return await pieces.reduce(into: "") { $0 += $1 }
    }

    private final class Receiver: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let received: AsyncStream<String>.Continuation

        init(_ received: AsyncStream<String>.Continuation) {
            self.received = received
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            received.yield(String(buffer: unwrapInboundIn(data)))
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            context.close(promise: nil)
        }

        func channelInactive(context: ChannelHandlerContext) {
            received.finish()
        }
    }
}
