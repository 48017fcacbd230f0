import Logging
import NIOCore
import NIOEmbedded
import Octets
import ServiceLifecycle
import Synchronization
import Testing

@testable import HTTPEngine

@Suite("Connections: those that are open, and the end of a listener", .timeLimit(.minutes(10)))
struct OpenConnectionsTests {
    private let connections = OpenConnections()

    /// End of a service, for a test to look at.
    private final class End: Sendable {
        private let isOver = Mutex(false)
        var hasCome: Bool { isOver.withLock { $0 } }
        func come() { isOver.withLock { $0 = true } }
    }

    /// Number of calls.
    private final class Count: Sendable {
        private let calls = Mutex(0)
        var value: Int { calls.withLock { $0 } }
        func note() { calls.withLock { $0 += 1 } }
    }

    /// Task of a request, which ends when it is told to, or when it is cancelled.
    private final class Request: Sendable {
        private let stream = AsyncStream<Void>.makeStream()
        private let cancelled = Mutex(false)
        var isCancelled: Bool { cancelled.withLock { $0 } }

        func end() { stream.continuation.finish() }

        func begin(in work: ConnectionWork) {
            work.begin {
                Task {
                    for await _ in stream.stream {}
                    cancelled.withLock { $0 = Task.isCancelled }
                    work.end()
                }
            }
        }
    }

    @Test("A connection is forgotten when it is closed, and one whose request still runs when that has ended")
    func forgotten() async throws {
        let (idle, busy) = (NIOAsyncTestingChannel(), NIOAsyncTestingChannel())
        let (work, request) = (ConnectionWork(), Request())
        connections.add(idle, ConnectionWork())
        connections.add(busy, work)
        request.begin(in: work)
        #expect(connections.count == 2)
        try await idle.close()
        #expect(connections.count == 1)
        try await busy.close()
        #expect(connections.count == 1)
        request.end()
        while connections.count > 0 { await Task.yield() }
        #expect(!request.isCancelled)
    }

    @Test(
        "Hosts that hold all connections keep others from none: what answers no request goes, of the fullest network first"
    )
    func crowded() async throws {
        let connections = OpenConnections(limit: 32)
        func open(from text: String, _ work: ConnectionWork = ConnectionWork()) async throws -> NIOAsyncTestingChannel {
            let channel = NIOAsyncTestingChannel()
            connections.add(channel, work)
            connections.assign(channel, to: try #require(IPAddress(text)))
            return channel
        }
        let (work, request) = (ConnectionWork(), Request())
        request.begin(in: work)
        let (person, busy) = (try await open(from: "192.0.2.1"), try await open(from: "2001:db8::1", work))
        let closed = Count()
        for channel in [person, busy] { channel.closeFuture.whenComplete { _ in closed.note() } }
        for number in 0..<200 {
            let stranger = try await open(from: "2001:db8:0:\(number % 4)::1")
            if number == 199 { #expect(stranger.isWritable) }
            while connections.count > 31 { await Task.yield() }
        }
        #expect(closed.value == 0)
        request.end()
    }

    @Test("A request that has ended is not waited for")
    func ended() async throws {
        let channel = NIOAsyncTestingChannel()
        let work = ConnectionWork()
        connections.add(channel, work)
        work.begin { Task {} }
        work.end()
        try await channel.close()
        #expect(connections.count == 0)
    }

    @Test("The end of a connection is told once, whatever ends on it afterwards")
    func once() {
        let (work, count) = (ConnectionWork(), Count())
        work.begin { Task {} }
        work.atEnd { count.note() }
        #expect(count.value == 0)
        work.end()
        work.begin { Task {} }
        work.end()
        #expect(count.value == 1)
    }

    @Test("The end of a listener waits for the last request of a connection that is closed already")
    func waits() async throws {
        let channel = NIOAsyncTestingChannel()
        let (work, request) = (ConnectionWork(), Request())
        connections.add(channel, work)
        request.begin(in: work)
        let service = service()
        let end = End()
        let task = Task {
            try await service.run()
            end.come()
        }
        await service.triggerGracefulShutdown()
        try await channel.close()
        for _ in 0..<10_000 { await Task.yield() }
        #expect(!end.hasCome && connections.count == 1)
        request.end()
        try await task.value
        #expect(connections.count == 0)
        #expect(!request.isCancelled)
    }

    @Test("A listener that is cancelled closes its connections, cancels their requests, and takes no further one")
    func cancelled() async throws {
        let (channel, late) = (NIOAsyncTestingChannel(), NIOAsyncTestingChannel())
        let (work, request) = (ConnectionWork(), Request())
        connections.add(channel, work)
        request.begin(in: work)
        let service = service()
        let task = Task { try await service.run() }
        task.cancel()
        _ = await task.result
        #expect(request.isCancelled && !channel.isActive && connections.count == 0)
        connections.add(late, ConnectionWork())
        try await late.closeFuture.get()
        #expect(connections.count == 0)
    }

    private func service() -> ServiceGroup {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        return ServiceGroup(configuration: .init(services: [connections], logger: logger))
    }
}
