import TestSupport
import Testing

@Suite("The transaction of rules on a real file, on SQLite and on PostgreSQL")
struct TransactionPortTests {
    @Test(
        "A body runs on no thread of the cooperative pool, so that nothing waits there for the disk",
        arguments: StoredDatabase.allCases)
    func threads(storage: StoredDatabase) async throws {
        try await TransactionPortStage(storage).threads()
    }

    @Test(
        "A failure that is none of a statement's undoes the transaction and ends no process",
        arguments: StoredDatabase.allCases)
    func foreignFailure(storage: StoredDatabase) async throws {
        try await TransactionPortStage(storage).foreignFailure()
    }

    @Test(
        "What a refusal undoes is gone, what was written before and after it stays", arguments: StoredDatabase.allCases)
    func undoing(storage: StoredDatabase) async throws {
        try await TransactionPortStage(storage).undoing()
    }

    @Test(
        "A statement that fails ends the body, undoes it, and is told as a failure of the storage",
        arguments: StoredDatabase.allCases)
    func failing(storage: StoredDatabase) async throws {
        try await TransactionPortStage(storage).failing()
    }

    @Test("A locked user is the one of the row, an unknown one is none", arguments: StoredDatabase.allCases)
    func locking(storage: StoredDatabase) async throws {
        try await TransactionPortStage(storage).locking()
    }
}
