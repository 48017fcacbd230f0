import ServerCore
import ServerPersistence
import TestSupport
import Testing
import UAF

/// The transaction of rules on one database; each method is one test.
struct TransactionPortStage {
    private let opened: OpenedDatabase
    private let database: FaultyDatabase
    private let storage: Storage
    private let user: User
    private let now = Timestamp(seconds: 1_700_000_000)

    init(_ kind: StoredDatabase) async throws {
        opened = try await kind.migrated(at: now)
        database = FaultyDatabase(opened.database)
        storage = SQLStorage(on: database, chainID: "test").ports
        user = User(
            id: UserID(from: SeededRandom()), name: try #require(UserName("jeff")),
            externalID: try #require(UserName("id")), createdAt: now)
        try await storage.users.add(user, mayBeAlike: false, password: nil, event: AuditEvent(.userAdded, at: now))
    }

    private func pushes() async throws -> [Timestamp] {
        let (user, start) = (user.id, now - .seconds(1))
        return try await storage.read { snapshot throws(ServerTransactionFailure) in
            try snapshot.times(of: .push, for: user, after: start)
        }
    }

    /// A body runs on no thread of the cooperative pool, so that nothing waits there for the disk.
    func threads() async throws {
        let isInTask = try await storage.transaction { _ throws(ServerTransactionFailure) in
            withUnsafeCurrentTask { $0 != nil }
        }
        #expect(!isInTask)
        #expect(withUnsafeCurrentTask { $0 != nil })
    }

    /// A failure that is none of a statement's undoes the transaction and ends no process.
    func foreignFailure() async throws {
        struct Foreign: Error {}
        let (user, now) = (user.id, now)
        await #expect(throws: ServerError.storageUnavailable) {
            try await storage.transaction { transaction throws(ServerTransactionFailure) in
                try transaction.note(.push, for: user, at: now)
                throw ServerTransactionFailure(Foreign())
            }
        }
        #expect(try await pushes().isEmpty)
    }

    /// What a refusal undoes is gone, what was written before and after it stays.
    func undoing() async throws {
        let (user, now) = (user.id, now)
        let refusal = try await storage.transaction { transaction throws(ServerTransactionFailure) in
            try transaction.note(.push, for: user, at: now)
            let refusal = try transaction.undoingRefused { () throws(ServerTransactionFailure) -> String? in
                try transaction.note(.push, for: user, at: now + .seconds(1))
                return "refused"
            }
            _ = try transaction.undoingRefused { () throws(ServerTransactionFailure) -> String? in
                try transaction.note(.push, for: user, at: now + .seconds(2))
                return nil
            }
            return refusal
        }
        #expect(refusal == "refused")
        #expect(try await pushes() == [now, now + .seconds(2)])
    }

    /// A statement that fails ends the body, undoes it, and is told as a failure of the storage.
    func failing() async throws {
        let reported = ReportedFailures()
        let ports = SQLStorage(on: database, chainID: "other") { reported.add($0) }.ports
        let (user, now) = (user.id, now)
        // BEGIN is none of the statements counted; the savepoint of the member and the first note succeed.
        database.set { $0.statementsLeft = 2 }
        await #expect(throws: ServerError.storageUnavailable) {
            try await ports.transaction { transaction throws(ServerTransactionFailure) in
                try transaction.note(.push, for: user, at: now)
                try transaction.note(.push, for: user, at: now)
            }
        }
        database.set { $0.statementsLeft = nil }
        #expect(reported.all == [FaultyDatabase.fault])
        #expect(ports.health.trouble != nil)
        #expect(try await pushes().isEmpty)
    }

    /// A locked user is the one of the row, an unknown one is none.
    func locking() async throws {
        let (id, stranger) = (user.id, UserID(from: SeededRandom(seed: 9)))
        let locked = try await storage.transaction { transaction throws(ServerTransactionFailure) in
            [try transaction.lockUser(id), try transaction.lockUser(stranger)]
        }
        #expect(locked == [user, nil])
    }
}
