import TestSupport
import Testing

@Suite("Group commit, on SQLite and on PostgreSQL")
struct GroupCommitTests {
    @Test(
        "Many concurrent members are all written, in fewer transactions than members",
        arguments: StoredDatabase.allCases)
    func sharing(storage: StoredDatabase) async throws {
        try await GroupCommitStage(storage).sharing()
    }

    @Test("A member that fails leaves no trace and does not disturb the others", arguments: StoredDatabase.allCases)
    func failingMember(storage: StoredDatabase) async throws {
        try await GroupCommitStage(storage).failingMember()
    }

    @Test(
        "A member that gives up while a statement waits that fails does not disturb the others",
        arguments: StoredDatabase.allCases)
    func failingQueuedStatement(storage: StoredDatabase) async throws {
        try await GroupCommitStage(storage).failingQueuedStatement()
    }

    @Test("A COMMIT that fails fails every member and leaves nothing", arguments: StoredDatabase.allCases)
    func failingCommit(storage: StoredDatabase) async throws {
        try await GroupCommitStage(storage).failingCommit()
    }

    @Test(
        "A member whose task was cancelled does not spoil the transaction of the others",
        arguments: StoredDatabase.allCases)
    func cancellation(storage: StoredDatabase) async throws {
        try await GroupCommitStage(storage).cancellation()
    }

    @Test("Results come from the members' own bodies", arguments: StoredDatabase.allCases)
    func results(storage: StoredDatabase) async throws {
        try await GroupCommitStage(storage).results()
    }
}
