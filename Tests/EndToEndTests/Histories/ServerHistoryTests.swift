import Linearizability
import TestSupport
import Testing

@Suite(
    "SRV-REL-1: histories of servers that are killed under load, also between commit and answer, are linearizable",
    .serialized)
struct ServerHistoryTests {
    @Test(
        "One process, and two of which one is killed after the other; PostgreSQL is restarted and cuts all connections",
        .timeLimit(.minutes(120)), arguments: StoredDatabase.allCases, [1, 2])
    func killed(database: StoredDatabase, processCount: Int) async throws {
        let run = try HistoryRun(try HistoryDatabase(database), processCount: processCount)
        let outcome = try await run.outcome()
        outcome.requireProof()
        print("histories on \(database.testDescription), processes: \(processCount): \(outcome.report)")
    }
}
