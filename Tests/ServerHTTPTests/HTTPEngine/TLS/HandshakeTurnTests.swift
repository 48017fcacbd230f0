import Dispatch
import LoadControl
import NIOCore
import NIOPosix
import Synchronization
import Testing

@testable import HTTPEngine

@Suite("TLS: between handshakes an event loop does everything else", .timeLimit(.minutes(5)))
struct HandshakeTurnTests {
    private struct Counts {
        var begun = 0
        /// Number of those that had begun when something else had its turn.
        var elsewhere: [Int] = []
    }

    /// In the place of TLS: takes a millisecond for the first octets of a client.
    private final class SlowHandshake: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        private let counts: LoopBoundCounts

        init(_ counts: LoopBoundCounts) { self.counts = counts }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            busyMillisecond()
            counts.begin(on: context.eventLoop)
        }
    }

    private final class LoopBoundCounts: Sendable {
        private let counts = Mutex(Counts())

        var all: Counts { counts.withLock { $0 } }

        func begin(on loop: any EventLoop) {
            counts.withLock { $0.begun += 1 }
            loop.execute { self.counts.withLock { $0.elsewhere.append($0.begun) } }
        }
    }

    @Test("Of handshakes that have all arrived, other tasks of the loop run between one and the next")
    func turns() async throws {
        let clientCount = 40
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let (queues, counts) = (HandshakeQueues(LoadController()), LoopBoundCounts())
        let server = try await ServerBootstrap(group: group)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandlers([
                        HandshakeGate(queues.scheduler(of: channel.eventLoop), ConnectionOrigin(nil)),
                        SlowHandshake(counts),
                    ])
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let port = try #require(server.localAddress?.port)
        var clients: [RawConnection] = []
        for _ in 0..<clientCount { clients.append(try await RawConnection.open(port: port)) }
        for client in clients { await client.send("a") }
        while counts.all.elsewhere.count < clientCount { await Task.yield() }
        let turns = Set(counts.all.elsewhere)
        #expect(turns.count > clientCount / 2, "\(counts.all.elsewhere)")
        for client in clients { await client.close() }
        try await server.close()
        try await group.shutdownGracefully()
    }

    /// In the place of TLS: the first one waits until the test goes on.
    private final class HeldHandshake: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        private let counts: LoopBoundCounts
        private let going: DispatchSemaphore

        init(_ counts: LoopBoundCounts, _ going: DispatchSemaphore) {
            self.counts = counts
            self.going = going
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            counts.begin(on: context.eventLoop)
            if counts.all.begun == 1 { going.wait() }
            busyMillisecond()
        }
    }

    /// Notes how many handshakes had begun when octets came.
    private final class Reader: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        private let counts: LoopBoundCounts
        private let place: AsyncStream<Int>.Continuation

        init(_ counts: LoopBoundCounts, _ place: AsyncStream<Int>.Continuation) {
            self.counts = counts
            self.place = place
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) { place.yield(counts.all.begun) }
    }

    @Test("Where requests and handshakes are due all the time the loop still reads what arrives")
    func reads() async throws {
        let clientCount = 40
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let (queues, counts, going) = (
            HandshakeQueues(LoadController()), LoopBoundCounts(), DispatchSemaphore(value: 0)
        )
        let (places, place) = AsyncStream<Int>.makeStream()
        func server(_ handlers: @escaping @Sendable (any EventLoop) -> [any ChannelHandler]) async throws -> any Channel
        {
            try await ServerBootstrap(group: group).childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandlers(handlers(channel.eventLoop))
                }
            }.bind(host: "127.0.0.1", port: 0).get()
        }
        let handshakes = try await server { loop in
            [HandshakeGate(queues.scheduler(of: loop), ConnectionOrigin(nil)), HeldHandshake(counts, going)]
        }
        let other = try await server { _ in [Reader(counts, place)] }
        let reader = try await RawConnection.open(port: try #require(other.localAddress?.port))
        let port = try #require(handshakes.localAddress?.port)
        var clients: [RawConnection] = []
        for _ in 0..<clientCount { clients.append(try await RawConnection.open(port: port)) }
        let executor = EventLoopExecutor(group.next())
        let allSent = DispatchSemaphore(value: 0)
        group.next().execute { allSent.wait() }
        for client in clients { await client.send("a") }
        allSent.signal()
        while counts.all.begun == 0 { await Task.yield() }
        let jobs = (0..<400).map { _ in Task(executorPreference: executor) { busyMillisecond() } }
        await reader.send("b")
        going.signal()
        for job in jobs { await job.value }
        let begun = await places.first { _ in true }
        #expect(try #require(begun) < clientCount)
        for client in clients + [reader] { await client.close() }
        for server in [handshakes, other] { try await server.close() }
        try await group.shutdownGracefully()
    }
}

private func busyMillisecond() {
    let end = NIODeadline.now() + .milliseconds(1)
    while NIODeadline.now() < end {}
}
