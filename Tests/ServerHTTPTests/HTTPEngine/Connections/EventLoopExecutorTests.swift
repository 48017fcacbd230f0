import Dispatch
import NIOCore
import NIOPosix
import Synchronization
import Testing

@testable import HTTPEngine

@Suite("Connections: the tasks of requests on their event loop", .timeLimit(.minutes(5)))
struct EventLoopExecutorTests {
    /// Counts jobs, and notes how many have run when octets arrive.
    private final class Record: Sendable {
        private struct Counts {
            var jobs = 0
            var arrivals: [Int] = []
        }

        private let counts = Mutex(Counts())

        var arrivals: [Int] { counts.withLock { $0.arrivals } }
        var jobs: Int { counts.withLock { $0.jobs } }

        func arrive() { counts.withLock { $0.arrivals.append($0.jobs) } }

        /// A job of a millisecond.
        func run() {
            let end = NIODeadline.now() + .milliseconds(1)
            while NIODeadline.now() < end {}
            counts.withLock { $0.jobs += 1 }
        }
    }

    private final class Reader: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let record: Record

        init(_ record: Record) { self.record = record }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) { record.arrive() }
    }

    @Test("Between jobs that together take long the event loop reads what has arrived")
    func reads() async throws {
        let jobCount = 100
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let (loop, record) = (group.next(), Record())
        // Long enough for a thread that is seldom given a processor.
        let executor = EventLoopExecutor(loop, pause: .milliseconds(20))
        let server = try await ServerBootstrap(group: group)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(Reader(record)) }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let client = try await RawConnection.open(port: try #require(server.localAddress?.port))
        await client.send("a")
        while record.arrivals.isEmpty { await Task.yield() }
        let isReady = DispatchSemaphore(value: 0)
        loop.execute { isReady.wait() }
        await client.send("b")
        let jobs = (0..<jobCount).map { _ in Task(executorPreference: executor) { record.run() } }
        isReady.signal()
        for job in jobs { await job.value }
        while record.arrivals.count < 2 { await Task.yield() }
        #expect(record.arrivals[1] < jobCount, "\(record.arrivals)")
        await client.close()
        try await server.close()
        try await group.shutdownGracefully()
    }

    @Test("Jobs from any thread run on the event loop, each part of a task in its turn, and none is lost")
    func all() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let (loop, record) = (group.next(), Record())
        let executors = EventLoopExecutors()
        #expect(executors.executor(of: loop) === executors.executor(of: loop))
        let jobs = (0..<40).map { _ in
            Task(executorPreference: executors.executor(of: loop)) {
                #expect(loop.inEventLoop)
                record.run()
                await Task.yield()
                #expect(loop.inEventLoop)
            }
        }
        for job in jobs { await job.value }
        #expect(record.jobs == 40)
        try await group.shutdownGracefully()
    }
}
