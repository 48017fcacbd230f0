import Linearizability
import TestSupport
import Testing

@Suite("A refused history is shrunk to the answers that contradict each other")
struct CounterexampleTests {
    private typealias Use = RecordedOperation<SignatureCounterModel.Call, Decision>

    private func use(_ counter: UInt32, _ answer: Decision, _ start: Int64, _ end: Int64) -> Use {
        Use("phone", SignatureCounterModel.Call(counter), answer, from: start, to: end)
    }

    @Test("Of a token that was tried by many, the two that were accepted are left, drawn below each other")
    func timeline() throws {
        typealias Redemption = RecordedOperation<SingleUseTokenModel.Call, Decision>
        var history = (0..<20).map { Redemption("late", .redeem, .refused, from: 20_000_000 + $0, to: 30_000_000) }
        history.append(Redemption("first", .redeem, .accepted, from: 1_000_000, to: 3_000_000))
        history.append(Redemption("second", .redeem, .accepted, from: 2_000_000, to: 4_500_000))
        history.append(Redemption("lost", .redeem, unansweredFrom: 500_000))
        let found = try #require(LinearizabilityChecker(SingleUseTokenModel()).verdict(on: history).counterexample)
        #expect(found.operations.map(\.client) == ["first", "second"] && found.failure.client == "second")
        #expect(
            found.description == """
                No order explains these answers, the last of which is "redeem: accepted".
                Before: valid.
                  0.000  first   redeem  |---|      accepted
                  1.000  second  redeem    |---|    accepted
                Left out, since no effect of theirs would change that: 1 further operations.
                """)
    }

    @Test("In a long history one answer too many is found, with the last one that it contradicts")
    func longHistory() throws {
        var history = (1...UInt32(5_000)).map { counter in
            let start = 10 * Int64(counter)
            return use(counter, .accepted, start, start + 5)
        }
        history.append(use(4_000, .accepted, 45_002, 45_004))
        let found = try #require(LinearizabilityChecker(SignatureCounterModel()).verdict(on: history).counterexample)
        #expect(found.failure.call.counter == 4_000)
        #expect(found.operations.count <= 2 && found.otherCount >= 4_400, "\(found)")
        #expect(found.startingStates.count == 1, "\(found)")
    }

    @Test(
        "Each answer that is left is needed, and what is left out may have any effect",
        arguments: 0..<40 as Range<UInt64>)
    func necessity(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let object = AtomicObject(model: CredentialModel()) { generator in
            let counter = UInt32.random(in: 0...5, using: &generator)
            return switch Int.random(in: 0..<4, using: &generator) {
            case 0: CredentialModel.Call.remove
            case 1: .register(counter: counter)
            default: .authenticate(counter: counter)
            }
        }
        var history = object.history(of: 40, by: 3, &generator)
        history.append(
            RecordedOperation("forger", .authenticate(counter: 0), .accepted, from: 100_000, to: 100_001))
        history.append(
            RecordedOperation("forger", .register(counter: 9), .accepted, from: 100_002, to: 100_003))
        let checker = LinearizabilityChecker(CredentialModel())
        let found = try #require(checker.verdict(on: history).counterexample)
        let kept = Set(found.operations)
        #expect(!checker.verdict(on: history.forgettingAnswers { !kept.contains($0) }).isLinearizable, "\(found)")
        for operation in found.operations where operation != found.failure {
            let fewer = history.forgettingAnswers { !kept.contains($0) || $0 == operation }
            #expect(checker.verdict(on: fewer).isLinearizable, "\(operation.call) is not needed in\n\(found)")
        }
    }

    @Test("A search that would take too long says so, and neither accepts nor refuses")
    func limit() {
        var history = (1...UInt32(12)).map { counter in use(counter, .accepted, 0, 100) }
        history.append(use(13, .accepted, 1, 99))
        let checker = LinearizabilityChecker(SignatureCounterModel(), configurationLimit: 3)
        guard case .undecided = checker.verdict(on: history) else {
            Issue.record("a verdict out of three configurations")
            return
        }
        #expect(LinearizabilityChecker(SignatureCounterModel()).verdict(on: history).isLinearizable)
    }
}

extension [RecordedOperation<CredentialModel.Call, Decision>] {
    /// The same history, in which it is unknown how the operations ended that are to be forgotten.
    fileprivate func forgettingAnswers(_ isForgotten: (Element) -> Bool) -> Self {
        map { isForgotten($0) ? Element($0.client, $0.call, unansweredFrom: $0.span.start, until: $0.span.end) : $0 }
    }
}
