import ServerCore
import ServerPersistence
import ServerPersistencePostgreSQL
import TestSupport
import Testing

@Suite("Server processes on one PostgreSQL database", .serialized, .timeLimit(.minutes(10)))
struct PostgreSQLProcessesTests {
    private let cluster: PostgresCluster
    private let opened: OpenedDatabase
    private let random = SystemRandomSource()

    init() throws {
        cluster = try PostgresCluster()
        opened = try OpenedDatabase(cluster: cluster)
    }

    private func process(_ name: String) throws -> PostgreSQLProcesses {
        try PostgreSQLProcesses(try #require(opened.settings), name: name, random: random)
    }

    /// Messages that a process has heard.
    private struct Inbox {
        private var messages: AsyncStream<ProcessMessage>.AsyncIterator

        init(of process: PostgreSQLProcesses) {
            let (stream, continuation) = AsyncStream<ProcessMessage>.makeStream()
            process.ports.channel.receive { continuation.yield($0) }
            messages = stream.makeAsyncIterator()
        }

        mutating func next(isolation: isolated (any Actor)? = #isolation) async -> ProcessMessage? {
            await messages.next(isolation: isolation)
        }
    }

    /// Waits until a process hears what another one says; it is unknown when it begins to listen.
    private func connect(_ sender: PostgreSQLProcesses, _ inbox: inout Inbox) async {
        let probe = CeremonyID(from: random)
        let channel = sender.ports.channel
        let task = Task {
            while !Task.isCancelled {
                channel.send(.moved([probe]))
                try? await Task.sleep(for: .milliseconds(20))
            }
        }
        while await inbox.next() != .moved([probe]) {}
        task.cancel()
        await task.value
    }

    @Test("What one process says the other hears, and it does not hear itself")
    func messages() async throws {
        let (one, two) = (try process("one"), try process("two"))
        var (inbox, other) = (Inbox(of: one), Inbox(of: two))
        await connect(one, &other)
        await connect(two, &inbox)
        let (own, foreign) = (CeremonyID(from: random), CeremonyID(from: random))
        one.ports.channel.send(.moved([own]))
        while await other.next() != .moved([own]) {}
        two.ports.channel.send(.moved([foreign]))
        var heard = await inbox.next()
        while heard != .moved([foreign]) {
            #expect(heard != .moved([own]), "it hears itself")
            heard = await inbox.next()
        }
        one.close()
        two.close()
    }

    @Test(
        "Counts arrive without anything urgent behind them, and none twice; what is urgent takes along those that gather"
    )
    func counts() async throws {
        let (one, two) = (try process("one"), try process("two"))
        var inbox = Inbox(of: one)
        await connect(two, &inbox)
        let entry = try #require(ProcessMessage.KeyCount(key: "192.0.2.1", count: 1))
        for isUrgent in [false, true, false] {
            for _ in 0..<100 { two.ports.channel.send(.counted(.addressRequests, [entry])) }
            if isUrgent { two.ports.channel.send(.changed(.keys)) }
            var (sum, messages) = (0, 0)
            while sum < 100 {
                guard case .counted(_, let entries) = try #require(await inbox.next()) else { continue }
                sum += entries.reduce(0) { $0 + $1.count }
                messages += 1
            }
            #expect(sum == 100 && messages < 100)
        }
        one.close()
        two.close()
    }

    @Test("After the server was away a process takes it that everything has changed, and hears again")
    func reconnection() async throws {
        let (one, two) = (try process("one"), try process("two"))
        var inbox = Inbox(of: one)
        await connect(two, &inbox)
        try cluster.restart()
        while await inbox.next() != .changed(.keys) {}
        await connect(two, &inbox)
        one.close()
        two.close()
    }

    @Test("Of those that ask one leads; when it ends, or its connection, the next one does")
    func leadership() async throws {
        let (one, two) = (try process("one"), try process("two"))
        for _ in 0..<3 {
            #expect(await one.ports.leadership.leads(.maintenance))
            #expect(await !two.ports.leadership.leads(.maintenance))
        }
        #expect(await two.ports.leadership.leads(.pruning(chain: "main")))
        one.close()
        while await !two.ports.leadership.leads(.maintenance) { try await Task.sleep(for: .milliseconds(20)) }
        try cluster.stop()
        #expect(await !two.ports.leadership.leads(.maintenance))
        try cluster.start()
        let three = try process("three")
        while await !three.ports.leadership.leads(.maintenance) { try await Task.sleep(for: .milliseconds(20)) }
        #expect(await !two.ports.leadership.leads(.maintenance))
        two.close()
        three.close()
    }
}
