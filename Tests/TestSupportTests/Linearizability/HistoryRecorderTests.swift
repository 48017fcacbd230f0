import Linearizability
import Synchronization
import Testing

@Suite("The recorder of histories")
struct HistoryRecorderTests {
    private struct Lost: Error {}

    /// Counters by name, each compared and set at one moment.
    private final class Counters: Sendable {
        private let values = Mutex<[String: UInt32]>([:])

        func use(_ counter: UInt32, of name: String) -> Decision {
            values.withLock { values in
                guard values[name, default: 0] < counter else { return .refused }
                values[name] = counter
                return .accepted
            }
        }
    }

    private static func use(
        _ counters: Counters, by client: String, _ recorder: HistoryRecorder<SignatureCounterModel>
    ) async {
        for number in 1...200 {
            let (object, counter) = ("key \(number % 5)", UInt32(number))
            await recorder.perform(.init(counter), on: object, by: client) { counters.use(counter, of: object) }
        }
    }

    @Test("Tasks at the same time record what they ask and are answered, by object, in spans that hold the effect")
    func tasks() async {
        let recorder = HistoryRecorder<SignatureCounterModel>()
        let counters = Counters()
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<8 { group.addTask { await Self.use(counters, by: "task \(task)", recorder) } }
        }
        let report = recorder.report("counter") { _ in SignatureCounterModel() }
        #expect(report.isLinearizable, "\(report)")
        #expect(report.objectCount == 5 && report.operationCount == 1_600 && report.unansweredCount == 0)
    }

    @Test("No answer, and an error, leave the outcome open; a report names the object that is refused")
    func openOutcomes() async throws {
        let recorder = HistoryRecorder<SingleUseTokenModel>()
        await recorder.perform(.redeem, on: "good", by: "a") { nil }
        await #expect(throws: Lost.self) {
            try await recorder.perform(.redeem, on: "good", by: "b") { throw Lost() }
        }
        recorder.endUnanswered()
        await recorder.perform(.redeem, on: "good", by: "e") { nil }
        #expect(recorder.recorded["good"]?.map { $0.span.end < .max } == [true, true, false])
        for client in ["c", "d"] { await recorder.perform(.redeem, on: "bad", by: client) { .accepted } }
        #expect(recorder.recorded["good"]?.map(\.answer) == [nil, nil, nil])
        var report = LinearizabilityReport()
        report.add(recorder.report("token") { _ in SingleUseTokenModel() })
        #expect(report.refusals.count == 1 && report.refusals.first?.hasPrefix("token bad: ") == true, "\(report)")
        #expect(!report.isLinearizable && report.unansweredCount == 3 && report.undecided.isEmpty)
    }

    @Test("A login is an attempt, and a forgiveness when its password is right and was looked at")
    func logins() async {
        let recorder = HistoryRecorder<LockModel>()
        let results: [(isRight: Bool, result: LoginResult?)] = [
            (false, .refused), (true, .accepted), (true, .locked), (true, nil), (false, nil),
        ]
        for (number, login) in results.enumerated() {
            await recorder.logIn(on: "\(number)", by: "a", rightly: login.isRight) { login.result }
        }
        let answers = (0..<5).map { recorder.recorded["\($0)"]?.map { "\($0.call) \($0.answer?.rawValue ?? "?")" } }
        #expect(
            answers == [
                ["attempt checked"], ["attempt checked", "forgive checked"], ["attempt locked"],
                ["attempt ?", "forgive ?"], ["attempt ?"],
            ])
    }
}
