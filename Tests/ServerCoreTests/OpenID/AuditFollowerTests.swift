import ServerPersistence
import Synchronization
import TestSupport
import Testing
import UAFService

@testable import OpenID
@testable import ServerCore

@Suite("Audit as event bus: each subscriber gets each record once, in order")
struct AuditFollowerTests {
    /// Subscriber that remembers what was written for it, and fails when told so.
    private final class Reader: AuditSubscriber {
        let name: String
        let kinds: Set<AuditEvent.Kind> = [.userAdded, .userLocked]
        let failures = Mutex(0)
        let seen = Mutex<[Int64]>([])

        /// Whether a message is written for each record.
        private let writes: Bool

        init(_ name: String, writes: Bool = false) {
            self.name = name
            self.writes = writes
        }

        func prepare(
            _ records: [AuditSubscriberRecord], random: any RandomSource, at now: Timestamp
        ) async throws(ServerError) -> AuditSubscriberEffect {
            let isFailing = failures.withLock { count in
                defer { count = max(0, count - 1) }
                return count > 0
            }
            if isFailing { throw .storageUnavailable }
            seen.withLock { $0 += records.map(\.sequence) }
            guard writes else { return .nothing }
            let messages = records.map { record in
                OutgoingMessage(
                    id: OutgoingMessageID(from: random), kind: .webhook, destination: "\(record.sequence)", content: [],
                    createdAt: now)
            }
            return AuditSubscriberEffect { transaction throws(ServerTransactionFailure) in
                for message in messages { try transaction.insert(message) }
            }
        }
    }

    @Test("A new subscriber begins at the end, and then gets what it wants and nothing else, once")
    func order() async throws {
        let server = try await TestServer(authenticators: [try SyntheticAuthenticator()])
        _ = try await server.services.users.add(name: "before")
        let reader = Reader("reader")
        let follower = AuditFollower([reader], of: server.services, transactions: server.openID)
        try await follower.begin()
        _ = try await server.services.users.add(name: "anna")
        try await server.services.users.lock(named: "anna")
        try await server.services.users.unlock(named: "anna")
        _ = try await server.services.users.add(name: "bert")
        await follower.round()
        await follower.round()
        let seen = reader.seen.withLock { $0 }
        #expect(seen.count == 3)
        #expect(seen == seen.sorted())
    }

    @Test("A subscriber that fails gets the records again, and holds no other one up")
    func failure() async throws {
        let server = try await TestServer(authenticators: [try SyntheticAuthenticator()])
        let (failing, healthy) = (Reader("failing"), Reader("healthy"))
        let follower = AuditFollower([failing, healthy], of: server.services, transactions: server.openID)
        try await follower.begin()
        _ = try await server.services.users.add(name: "anna")
        failing.failures.withLock { $0 = 1 }
        await follower.round()
        #expect(failing.seen.withLock { $0.count } == 0)
        #expect(healthy.seen.withLock { $0.count } == 1)
        await follower.round()
        #expect(failing.seen.withLock { $0.count } == 1)
        #expect(healthy.seen.withLock { $0.count } == 1)
    }

    /// What makes a record one that no server has written.
    private static let damage = [
        "event = 'text'", "event = X'7B'", "event = X'5B5D'", "hash = X'00'", "previous_hash = 'text'",
    ]

    @Test("A damaged record is stepped over, and those behind it are read (SA-19)", arguments: damage)
    func damaged(_ change: String) async throws {
        let server = try await TestServer(authenticators: [try SyntheticAuthenticator()])
        let reader = Reader("reader")
        let follower = AuditFollower([reader], of: server.services, transactions: server.openID)
        try await follower.begin()
        for name in ["anna", "bert", "carl"] { _ = try await server.services.users.add(name: name) }
        try await server.database.transaction { connection throws(ServerPersistenceError) in
            _ = try connection.execute("UPDATE audit_records SET \(change) WHERE sequence = 2", [])
        }
        await follower.round()
        #expect(reader.seen.withLock { $0 } == [1, 3])
        #expect(server.services.auditDamage.text?.contains("main at record 2: ") == true)
    }

    @Test("A subscriber that is forgotten at work begins again at the end")
    func forgotten() async throws {
        let server = try await TestServer(authenticators: [try SyntheticAuthenticator()])
        let reader = Reader("reader")
        let follower = AuditFollower([reader], of: server.services, transactions: server.openID)
        try await follower.begin()
        _ = try await server.services.users.add(name: "anna")
        #expect(try await server.services.subscriberOffsets.forget("reader"))
        await follower.round()
        _ = try await server.services.users.add(name: "bert")
        await follower.round()
        #expect(reader.seen.withLock { $0 } == [2])
    }

    /// Subscriber that waits for a system that never answers.
    private struct Waiting: AuditSubscriber {
        let name = "waiting"
        let kinds: Set<AuditEvent.Kind> = [.userAdded]
        let begun: AsyncStream<Void>.Continuation

        func prepare(
            _ records: [AuditSubscriberRecord], random: any RandomSource, at now: Timestamp
        ) async throws(ServerError) -> AuditSubscriberEffect {
            begun.yield()
            try? await Task.sleep(for: .seconds(86_400))
            throw .storageUnavailable
        }
    }

    @Test("A subscriber that waits for a slow system holds no other one up", .timeLimit(.minutes(10)))
    func slow() async throws {
        let server = try await TestServer(authenticators: [try SyntheticAuthenticator()])
        let (begun, continuation) = AsyncStream.makeStream(of: Void.self)
        let reader = Reader("reader")
        let follower = AuditFollower(
            [Waiting(begun: continuation), reader], of: server.services, transactions: server.openID)
        try await follower.begin()
        _ = try await server.services.users.add(name: "anna")
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await follower.run() }
            for await _ in begun { break }
            try? await server.services.users.lock(named: "anna")
            while reader.seen.withLock({ $0.count }) < 2 { try? await Task.sleep(for: .milliseconds(5)) }
            group.cancelAll()
        }
        #expect(reader.seen.withLock { $0.count } == 2)
    }

    @Test("Without a subscriber there is nothing to follow", .timeLimit(.minutes(10)))
    func absent() async throws {
        let server = try await TestServer(authenticators: [try SyntheticAuthenticator()])
        let follower = AuditFollower([], of: server.services, transactions: server.openID)
        try await follower.begin()
        // Ends, without being cancelled.
        await follower.run()
    }

    @Test("Of two processes on a database one moves the place, and what the other one prepared is not written")
    func twoProcesses() async throws {
        let server = try await TestServer(authenticators: [try SyntheticAuthenticator()])
        let reader = Reader("reader", writes: true)
        let (one, other) = (
            AuditFollower([reader], of: server.services, transactions: server.openID),
            AuditFollower([reader], of: server.services, transactions: server.openID)
        )
        try await one.begin()
        for name in ["a", "b", "c"] { _ = try await server.services.users.add(name: name) }
        async let first: Void = one.round()
        async let second: Void = other.round()
        _ = await (first, second)
        let messages = try await server.openID.read { snapshot throws(ServerTransactionFailure) in
            try snapshot.messages(.waiting, limit: 100)
        }
        #expect(messages.count == 3)
    }

    @Test(
        "Times are read as they are written", arguments: [0, 1_769_860_800_123, -1, 951_782_400_000, 4_102_444_799_999])
    func times(_ milliseconds: Int64) {
        let time = Timestamp(milliseconds: milliseconds)
        #expect(Timestamp(iso8601: time.iso8601) == time)
    }

    @Test(
        "Another form of a time is refused",
        arguments: ["", "2026-01-31", "2026-01-31T12:00:00Z", "x026-01-31T12:00:00.000Z"])
    func otherTimes(_ text: String) {
        #expect(Timestamp(iso8601: text) == nil)
    }
}
