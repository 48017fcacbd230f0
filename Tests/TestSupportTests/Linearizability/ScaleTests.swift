import Linearizability
import TestSupport
import Testing

/// The limit of time is for a debug build beside seven other tests; a release build needs some seconds.
@Suite("A hundred thousand operations are checked in seconds")
struct ScaleTests {
    private static let operationCount = 100_000

    /// Checks histories that have to be accepted.
    private func expectAccepted<Model: SequentialModel>(
        by model: Model, _ histories: [[RecordedOperation<Model.Call, Model.Answer>]]
    ) {
        for history in histories {
            #expect(LinearizabilityChecker(model).verdict(on: history).isLinearizable)
        }
    }

    private func counter(highest: UInt32) -> AtomicObject<SignatureCounterModel> {
        AtomicObject(model: SignatureCounterModel()) { generator in
            SignatureCounterModel.Call(UInt32.random(in: 1...highest, using: &generator))
        }
    }

    @Test("On one object, by one client and by eight", .timeLimit(.minutes(5)))
    func oneObject() {
        var generator = SeededGenerator(seed: 1)
        let alone = counter(highest: .max).history(of: Self.operationCount, by: 1, &generator)
        let crowd = counter(highest: .max).history(of: Self.operationCount, by: 8, &generator)
        expectAccepted(by: SignatureCounterModel(), [alone])
        expectAccepted(by: SignatureCounterModel(), [crowd])
    }

    @Test("On a thousand objects, of which one operation in a hundred is not answered", .timeLimit(.minutes(5)))
    func manyObjects() {
        var object = AtomicObject(model: CredentialModel()) { generator in
            let counter = UInt32.random(in: 0...50, using: &generator)
            return switch Int.random(in: 0..<20, using: &generator) {
            case 0: CredentialModel.Call.remove
            case 1: .register(counter: counter)
            default: .authenticate(counter: counter)
            }
        }
        object.unansweredShare = 100
        let histories = (0..<UInt64(1_000)).map { seed in
            var generator = SeededGenerator(seed: seed)
            return object.history(of: Self.operationCount / 1_000, by: 6, &generator)
        }
        expectAccepted(by: object.model, histories)
    }
}
