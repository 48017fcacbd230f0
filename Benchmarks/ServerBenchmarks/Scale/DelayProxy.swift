import NIOCore
import NIOPosix

/// TCP proxy on this machine that holds everything back for a while, as a network would.
///
/// Half of the delay on each way: it is the time that a round trip takes longer.
final class DelayProxy: Sendable {
    /// Port of the proxy on the loopback address.
    let port: Int
    /// Attempts to meet a round trip.
    private static let attempts = 5
    /// Share by which the round trip that is measured may be off.
    private static let accuracy = 0.05

    private let group: MultiThreadedEventLoopGroup

    /// Begins to carry connections to a database server so that a round trip takes longer by `roundTrip`, as measured with
    /// one client.
    ///
    /// Timers that are late, and the ways to the proxy and from it, are part of that time.
    static func calibrated(
        to server: LocalPostgreSQL, roundTrip: Duration
    ) async throws -> (proxy: DelayProxy, measured: Duration) {
        let direct = try await server.roundTrip(over: server.port)
        var held = roundTrip
        for attempt in 1...attempts {
            let proxy = try await DelayProxy(to: server.port, roundTrip: held)
            let measured = try await server.roundTrip(over: proxy.port) - direct
            let excess = measured - roundTrip
            if attempt == attempts || abs(excess / roundTrip) <= accuracy { return (proxy, measured) }
            try await proxy.shutDown()
            held = max(.zero, held - excess)
        }
        throw BenchmarkFailure.badConstant
    }

    /// Begins to carry connections to `target`, a port on the loopback address.
    init(to target: Int, roundTrip: Duration) async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let delay = TimeAmount.nanoseconds(Int64(roundTrip / .nanoseconds(2)))
        let channel = try await ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 256)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { near in
                ClientBootstrap(group: near.eventLoop)
                    .channelOption(.tcpOption(.tcp_nodelay), value: 1)
                    .connect(host: "127.0.0.1", port: target)
                    .flatMapThrowing { far in
                        try near.pipeline.syncOperations.addHandler(DelayHandler(to: far, delay))
                        try far.pipeline.syncOperations.addHandler(DelayHandler(to: near, delay))
                    }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        self.group = group
        port = channel.localAddress?.port ?? 0
    }

    /// Closes all connections.
    func shutDown() async throws { try await group.shutdownGracefully() }
}

/// Channel handler that passes what it reads to another channel of the same event loop, after a delay.
private final class DelayHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let peer: any Channel
    private let delay: TimeAmount

    init(to peer: any Channel, _ delay: TimeAmount) {
        self.peer = peer
        self.delay = delay
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let (peer, octets) = (peer, unwrapInboundIn(data))
        // Tasks of an event loop run in the order of their times.
        context.eventLoop.scheduleTask(in: delay) { peer.writeAndFlush(octets, promise: nil) }
    }

    func channelInactive(context: ChannelHandlerContext) {
        let peer = peer
        context.eventLoop.scheduleTask(in: delay) { peer.close(promise: nil) }
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}
