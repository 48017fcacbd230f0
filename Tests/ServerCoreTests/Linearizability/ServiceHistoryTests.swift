import Linearizability
import TestSupport
import Testing

@Suite("Two servers on one database keep histories linearizable, and planted bugs of the storage are found")
struct ServiceHistoryTests {
    private let run: ServiceRun

    init() async throws {
        run = try await ServiceRun()
    }

    private func expectAccepted(_ report: LinearizabilityReport, atLeast count: Int) {
        #expect(report.isLinearizable, "\(report)")
        #expect(report.operationCount >= count && report.unansweredCount == 0, "\(report)")
    }

    /// The bug was there and was found.
    private func expectRefused(_ report: LinearizabilityReport) {
        #expect(run.database.flawedCount > 0, "the statement of the planted bug is not there any more")
        #expect(!report.refusals.isEmpty, "\(report)")
    }

    // MARK: - As they are

    @Test("A signature counter")
    func counter() async throws {
        expectAccepted(try await run.counter(rounds: 20), atLeast: 120)
    }

    @Test("Tokens of operations out of band")
    func tokens() async throws {
        expectAccepted(try await run.tokens(rounds: 20), atLeast: 140)
    }

    @Test("Requests that a device has signed")
    func signedRequests() async throws {
        expectAccepted(try await run.signedRequests(rounds: 20), atLeast: 140)
    }

    @Test("Locks after wrong passwords")
    func logins() async throws {
        expectAccepted(try await run.logins(rounds: 10), atLeast: 180)
    }

    // MARK: - Planted bugs

    @Test("A counter that is compared outside the transaction")
    func counterComparedOutside() async throws {
        run.database.set { faults in
            faults.flaw = { $0.replacing("(sign_counter < $1 OR (sign_counter = 0 AND $1 = 0))", with: "$1 >= 0") }
        }
        expectRefused(try await run.counter(rounds: 20))
    }

    @Test("A token that is consumed after the answer, with a server that is killed in between and without")
    func tokenConsumedLater() async throws {
        let database = run.database
        run.database.set { faults in
            faults.postponement = { $0.hasPrefix("UPDATE operations") && $0.contains("token_result = ") }
        }
        expectRefused(
            try await run.tokens(rounds: 20) { round in if round % 2 == 0 { database.forgetPostponed() } })
    }

    @Test("A replay cache that does not look whether the request is there")
    func blindReplayCache() async throws {
        run.database.set { faults in
            faults.flaw = { text in
                guard text.contains("INTO device_requests") else { return text }
                return text.replacing(
                    "ON CONFLICT DO NOTHING",
                    with: "ON CONFLICT (target_id, request_id) DO UPDATE SET remembered_until = $3")
            }
        }
        expectRefused(try await run.signedRequests(rounds: 5))
    }

    @Test("A count of wrong passwords in which every other one is lost")
    func lostFailures() async throws {
        run.database.set { faults in
            faults.flaw = {
                $0.replacing("login_attempts.attempts + 1", with: "login_attempts.attempts + (random() & 1)")
            }
        }
        expectRefused(try await run.logins(rounds: 10))
    }
}
