import Linearizability
import TestSupport
import Testing

@Suite("Two servers on one database keep histories linearizable, and planted bugs of the storage are found")
struct ServiceHistoryTests {
    private func expectAccepted(_ report: LinearizabilityReport, atLeast count: Int) {
        #expect(report.isLinearizable, "\(report)")
        #expect(report.operationCount >= count && report.unansweredCount == 0, "\(report)")
    }

    /// The bug was there and was found.
    private func expectRefused(_ report: LinearizabilityReport, _ run: ServiceRun) {
        #expect(run.database.flawedCount > 0, "the statement of the planted bug is not there any more")
        #expect(!report.refusals.isEmpty, "\(report)")
    }

    // MARK: - As they are

    @Test("A signature counter", arguments: StoredDatabase.allCases)
    func counter(storage: StoredDatabase) async throws {
        let run = try await ServiceRun(storage)
        expectAccepted(try await run.counter(rounds: 20), atLeast: 120)
    }

    @Test("Tokens of operations out of band", arguments: StoredDatabase.allCases)
    func tokens(storage: StoredDatabase) async throws {
        let run = try await ServiceRun(storage)
        expectAccepted(try await run.tokens(rounds: 20), atLeast: 140)
    }

    @Test("Requests that a device has signed", arguments: StoredDatabase.allCases)
    func signedRequests(storage: StoredDatabase) async throws {
        let run = try await ServiceRun(storage)
        expectAccepted(try await run.signedRequests(rounds: 20), atLeast: 140)
    }

    @Test("Locks after wrong passwords", arguments: StoredDatabase.allCases)
    func logins(storage: StoredDatabase) async throws {
        let run = try await ServiceRun(storage)
        expectAccepted(try await run.logins(rounds: 10), atLeast: 180)
    }

    // MARK: - Planted bugs

    @Test("A counter that is compared outside the transaction", arguments: StoredDatabase.allCases)
    func counterComparedOutside(storage: StoredDatabase) async throws {
        let run = try await ServiceRun(storage)
        run.database.set { faults in
            faults.flaw = { $0.replacing("(sign_counter < $1 OR (sign_counter = 0 AND $1 = 0))", with: "$1 >= 0") }
        }
        expectRefused(try await run.counter(rounds: 20), run)
    }

    @Test("A counter that is compared before the statement of many sign-ins, which does not look again")
    func counterComparedBefore() async throws {
        let run = try await ServiceRun(.postgreSQL)
        run.database.set { $0.comparesCountersBefore = true }
        expectRefused(try await run.counter(rounds: 40), run)
    }

    @Test(
        "A token that is consumed after the answer, with a server that is killed in between and without",
        arguments: StoredDatabase.allCases)
    func tokenConsumedLater(storage: StoredDatabase) async throws {
        let run = try await ServiceRun(storage)
        let database = run.database
        run.database.set { faults in
            faults.postponement = { $0.hasPrefix("UPDATE operations") && $0.contains("token_result = ") }
        }
        let report = try await run.tokens(rounds: 20) { round in
            if round % 2 == 0 { database.forgetPostponed() }
        }
        expectRefused(report, run)
    }

    @Test("A replay cache that does not look whether the request is there", arguments: StoredDatabase.allCases)
    func blindReplayCache(storage: StoredDatabase) async throws {
        let run = try await ServiceRun(storage)
        run.database.set { faults in
            faults.flaw = { text in
                guard text.contains("INTO device_requests") else { return text }
                return text.replacing(
                    "ON CONFLICT DO NOTHING",
                    with: "ON CONFLICT (target_id, request_id) DO UPDATE SET remembered_until = $3")
            }
        }
        expectRefused(try await run.signedRequests(rounds: 5), run)
    }

    @Test("A count of wrong passwords in which every other one is lost", arguments: StoredDatabase.allCases)
    func lostFailures(storage: StoredDatabase) async throws {
        let run = try await ServiceRun(storage)
        run.database.set { faults in
            faults.flaw = {
                // A fraction on one database, any integer on the other.
                $0.replacing(
                    "login_attempts.attempts + 1",
                    with: "login_attempts.attempts + CASE WHEN random() > 0.5 THEN 1 ELSE 0 END")
            }
        }
        expectRefused(try await run.logins(rounds: 10), run)
    }
}
