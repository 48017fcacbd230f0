import OpenID
import ServerCore
import ServerPersistence
import ServerPersistenceSQLite
import TestSupport
import Testing

@Suite("However many messages wait, a delivery looks at a few of each receiver", .timeLimit(.minutes(5)))
struct ManyMessagesTests {
    private static let count = 100_000
    private static let page = 5_000

    private let openID: any OpenIDTransactionRunner
    private let random = SeededRandom()
    private let now = Timestamp(seconds: 1_700_000_000)

    init() async throws {
        let database = try SQLiteDatabase()
        try await Migrator().migrate(database, at: now)
        openID = SQLStorage(on: database, chainID: "test").openID
    }

    /// Adds messages that are due, for as many receivers as kinds have names, each later than the one before.
    private func add(_ count: Int, for receiver: String, kind: OutgoingMessage.Kind = .webhook) async throws {
        for start in stride(from: 0, to: count, by: Self.page) {
            let messages = (start..<min(count, start + Self.page)).map { number in
                OutgoingMessage(
                    id: OutgoingMessageID(from: random), kind: kind, destination: receiver,
                    content: Array(#"{"number":\#(number)}"#.utf8), createdAt: now + .milliseconds(Int64(number)))
            }
            try await openID.transaction { transaction throws(ServerTransactionFailure) -> Void in
                for message in messages { try transaction.insert(message) }
            }
        }
    }

    private func due() async throws -> [OutgoingMessage] {
        let end = now + .seconds(1_000)
        return try await openID.read { snapshot throws(ServerTransactionFailure) in
            try snapshot.dueMessages(at: end, limit: 144)
        }
    }

    @Test("With 100,000 waiting messages a look finds the next few of each receiver, and more after a delivery")
    func hundredThousand() async throws {
        try await add(Self.count / 2, for: "shop")
        try await add(Self.count / 2, for: "client", kind: .logout)
        let found = try await due()
        #expect(found.count == 2 * OutgoingMessage.queueLength, "a few of each receiver, however many wait")
        #expect(Set(found.map(\.destination)) == ["shop", "client"])
        let delivered = try #require(found.first?.id)
        let isRemoved = try await openID.transaction { transaction throws(ServerTransactionFailure) in
            try transaction.removeMessage(delivered)
        }
        let next = try await due()
        #expect(isRemoved && next.count == found.count && !next.contains { $0.id == delivered })
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
