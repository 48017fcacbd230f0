import BackendAPI
import BackendTransport
import Linearizability
import TestSupport
import Testing

/// Names under which clients log in at the same time, most of the time with a wrong password, so that they are locked.
final class LoginSubject: HistorySubject {
    /// Time after which a wrong password no longer counts, so short that a name is locked again and again.
    static let windowSeconds = 10
    /// Wrong passwords before the lock: the default of the server.
    private static let failureLimit = 5
    private static let nanosecondsPerSecond: Int64 = 1_000_000_000

    let users = ["login0", "login1"]
    private let recorder = HistoryRecorder<LockModel>()

    func work(_ load: HistoryLoad, as client: Int, _ generator: inout SeededGenerator) async throws {
        let name = users[Int.random(in: users.indices, using: &generator)]
        let isRight = Int.random(in: 0..<8, using: &generator) == 0
        let form = "isiwebuserid=\(name)&isiwebpasswd=\(isRight ? Installation.password : "wrong")"
        await recorder.logIn(on: name, by: "client \(client)", rightly: isRight) {
            let status = await load.answer(.passwordLogin, Array(form.utf8), from: client)?.status
            #expect(status != (isRight ? 401 : 200), "\(name): what was looked at was judged wrongly")
            return switch status {
            case 200: .accepted
            case 401: .refused
            case 429: .locked
            default: nil
            }
        }
        // Who is locked out comes back, and does not fill the history with refusals.
        try? await Task.sleep(for: .milliseconds(Int.random(in: 0...200, using: &generator)))
    }

    func endUnanswered() { recorder.endUnanswered() }

    /// The clocks of servers and clients are one, but servers count milliseconds, and keep their time over a kill.
    var report: LinearizabilityReport {
        recorder.report("lock") { _ in
            LockModel(
                limit: Self.failureLimit, window: Int64(Self.windowSeconds) * Self.nanosecondsPerSecond,
                tolerance: Self.nanosecondsPerSecond / 4)
        }
    }
}
