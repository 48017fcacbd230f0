import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// A TLS server on loopback that shows its first connection one certificate and all later ones another.
///
/// It answers over later connections at once, and over the first one when it is released. Its answers bear a field with
/// the name of the transport's own mark.
struct TwoFacedServer {
    private let channel: any Channel
    private let arrived: EventLoopPromise<Void>
    private let released: EventLoopPromise<Void>

    /// The port it listens at.
    var port: Int { channel.localAddress?.port ?? 0 }

    init(_ first: TLSConfiguration, then other: TLSConfiguration) async throws {
        let contexts = [try NIOSSLContext(configuration: first), try NIOSSLContext(configuration: other)]
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        let (arrived, released) = (loop.makePromise(of: Void.self), loop.makePromise(of: Void.self))
        (self.arrived, self.released) = (arrived, released)
        let count = Mutex(0)
        channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelInitializer { channel in
                let number = count.withLock { count in
                    defer { count += 1 }
                    return count
                }
                return channel.eventLoop.makeCompletedFuture {
                    let answer =
                        number == 0
                        ? Answer(arrived: arrived, released: released.futureResult)
                        : Answer(arrived: nil, released: channel.eventLoop.makeSucceededVoidFuture())
                    try channel.pipeline.syncOperations.addHandlers(
                        NIOSSLServerHandler(context: contexts[min(number, 1)]), answer)
                }
            }.bind(host: "127.0.0.1", port: 0).get()
    }

    /// Waits for the first request over the first connection.
    func arrival() async throws { try await arrived.futureResult.get() }

    /// Has the first connection answer.
    func release() { released.succeed() }

    func stop() async throws {
        arrived.succeed()
        released.succeed()
        try await channel.close()
    }

    private final class Answer: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let arrived: EventLoopPromise<Void>?
        private let released: EventLoopFuture<Void>
        private var hasBegun = false

        init(arrived: EventLoopPromise<Void>?, released: EventLoopFuture<Void>) {
            self.arrived = arrived
            self.released = released
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard !hasBegun else { return }
            hasBegun = true
            arrived?.succeed()
            let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
            let place = NIOLoopBound(context, eventLoop: context.eventLoop)
            released.hop(to: context.eventLoop).whenSuccess { bound.value.say("ok", to: place.value) }
        }

        private func say(_ text: String, to context: ChannelHandlerContext) {
            let head = "HTTP/1.1 200 OK\r\nSignet-Connection: 1\r\nContent-Length: \(text.utf8.count)\r\n\r\n"
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: head + text)), promise: nil)
        }
    }
}
