import ServerCore
import ServerPersistence
import ServerPersistenceSQLite
import TestSupport
import Testing

@Suite("However many messages wait, one delivery costs what it costs with few", .timeLimit(.minutes(5)))
struct ManyMessagesTests {
    private static let count = 100_000
    private static let page = 5_000

    private let storage: Storage
    private let random = SeededRandom()
    private let now = Timestamp(seconds: 1_700_000_000)

    init() async throws {
        let database = try SQLiteDatabase()
        try await Migrator().migrate(database, at: now)
        storage = SQLStorage.ports(on: database, chainID: "test")
    }

    /// Adds messages that are due, for as many receivers as kinds have names, each later than the one before.
    private func add(_ count: Int, for receiver: String, kind: OutgoingMessage.Kind = .webhook) async throws {
        for start in stride(from: 0, to: count, by: Self.page) {
            let messages = (start..<min(count, start + Self.page)).map { number in
                OutgoingMessage(
                    id: OutgoingMessageID(from: random), kind: kind, destination: receiver,
                    content: Array(#"{"number":\#(number)}"#.utf8), createdAt: now + .milliseconds(Int64(number)))
            }
            try await storage.transaction { transaction throws(ServerTransactionFailure) -> Void in
                for message in messages { try transaction.insert(message) }
            }
        }
    }

    private func due() async throws -> [OutgoingMessage] {
        let end = now + .seconds(1_000)
        return try await storage.read { snapshot throws(ServerTransactionFailure) in
            try snapshot.dueMessages(at: end, limit: 144)
        }
    }

    /// Shortest time of some looks at what is due, with the end of one delivery after each.
    private func deliveryTime() async throws -> Duration {
        var shortest = Duration.seconds(60)
        let clock = ContinuousClock()
        for _ in 0..<10 {
            let start = clock.now
            let id = try #require(try await due().first?.id)
            let isRemoved = try await storage.transaction { transaction throws(ServerTransactionFailure) in
                try transaction.removeMessage(id)
            }
            shortest = min(shortest, clock.now - start)
            #expect(isRemoved)
        }
        return shortest
    }

    @Test("With 100,000 waiting messages a look and a delivery take no more than a few times as long as with 100")
    func hundredThousand() async throws {
        try await add(100, for: "shop")
        let few = try await deliveryTime()
        try await add(Self.count / 2, for: "shop")
        try await add(Self.count / 2, for: "client", kind: .logout)
        let many = try await deliveryTime()
        // Going through them all would take a thousand times as long.
        #expect(many < few * 10 + .milliseconds(20), "\(few) with 100, \(many) with 100,000")
        let found = try await due()
        #expect(found.count == 2 * OutgoingMessage.queueLength, "a few of each receiver, however many wait")
        #expect(Set(found.map(\.destination)) == ["shop", "client"])
    }

    @Test("A receiver with 100,000 messages keeps no other one from its own")
    func otherReceiver() async throws {
        try await add(Self.count, for: "busy")
        try await add(1, for: "quiet")
        let found = try await due()
        #expect(found.contains { $0.destination == "quiet" })
        #expect(found.count == OutgoingMessage.queueLength + 1)
    }
}
