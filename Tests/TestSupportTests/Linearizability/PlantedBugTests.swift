import Linearizability
import TestSupport
import Testing

@Suite("Planted bugs: the checker finds each, and nothing in the object without it")
struct PlantedBugTests {
    private static let seeds = 0..<UInt64(300)

    /// Counterexamples of runs of an object, one for each seed whose history is refused.
    private func refusals<Object: SteppedObject>(
        of object: Object, _ model: Object.Model, count: Int, killedOnceIn killShare: Int = 0,
        _ draw: (inout SeededGenerator) -> Object.Model.Call
    ) -> [Counterexample<Object.Model>] {
        Self.seeds.compactMap { seed in
            var generator = SeededGenerator(seed: seed)
            let run = SteppedRun(object, count: count, killedOnceIn: killShare, &generator, draw)
            return LinearizabilityChecker(model).verdict(on: run.history).counterexample
        }
    }

    // MARK: - A counter that is compared outside the transaction

    /// Counter that is compared in the step that writes it.
    private struct Counter: SteppedObject {
        typealias Model = SignatureCounterModel
        var stored: UInt32 = 0

        static func steps(of call: SignatureCounterModel.Call) -> [Step] {
            [
                { counter, _ in
                    guard counter.stored < call.counter else { return .refused }
                    counter.stored = call.counter
                    return nil
                }, { _, _ in .accepted },
            ]
        }
    }

    /// Counter that is read and compared before the transaction that writes it.
    private struct CounterComparedOutside: SteppedObject {
        typealias Model = SignatureCounterModel
        var stored: UInt32 = 0

        static func steps(of call: SignatureCounterModel.Call) -> [Step] {
            [
                { counter, seen in
                    seen = counter.stored
                    return nil
                },
                { counter, seen in
                    guard seen < call.counter else { return .refused }
                    counter.stored = call.counter
                    return .accepted
                },
            ]
        }
    }

    @Test("A counter that is compared outside the transaction")
    func counter() {
        func draw(_ generator: inout SeededGenerator) -> SignatureCounterModel.Call {
            SignatureCounterModel.Call(UInt32.random(in: 1...30, using: &generator))
        }
        let model = SignatureCounterModel()
        #expect(refusals(of: Counter(), model, count: 40, killedOnceIn: 15, draw).isEmpty)
        let found = refusals(of: CounterComparedOutside(), model, count: 40, killedOnceIn: 15, draw)
        #expect(found.count > Self.seeds.count / 10, "\(found.count)")
        #expect(found.allSatisfy { $0.operations.count <= 6 }, "the counterexamples are not small")
    }

    // MARK: - A token that is consumed after the answer

    /// Token that is consumed, and then the answer is sent.
    private struct Token: SteppedObject {
        typealias Model = SingleUseTokenModel
        var isSpent = false

        static func steps(of call: SingleUseTokenModel.Call) -> [Step] {
            [
                { token, _ in
                    guard !token.isSpent else { return .refused }
                    token.isSpent = true
                    return nil
                }, { _, _ in .accepted },
            ]
        }
    }

    /// Token whose answer is sent before it is consumed.
    private struct TokenConsumedLater: SteppedObject {
        typealias Model = SingleUseTokenModel
        var isSpent = false

        static func steps(of call: SingleUseTokenModel.Call) -> [Step] {
            [
                { token, _ in token.isSpent ? .refused : .accepted },
                { token, _ in
                    token.isSpent = true
                    return nil
                },
            ]
        }
    }

    @Test("A token that is consumed after the answer: another one is there before, or the process is killed between")
    func token() {
        let model = SingleUseTokenModel()
        #expect(refusals(of: Token(), model, count: 4, killedOnceIn: 4) { _ in .redeem }.isEmpty)
        let found = refusals(of: TokenConsumedLater(), model, count: 4, killedOnceIn: 4) { _ in .redeem }
        #expect(found.count > Self.seeds.count / 4, "\(found.count)")
        #expect(found.allSatisfy { $0.operations.count == 2 }, "two that were accepted are all that it takes")
    }

    // MARK: - Failures that are lost

    /// Lock that counts a failure in one step.
    private struct Lock: SteppedObject {
        typealias Model = LockModel
        var failures: UInt32 = 0

        static func steps(of call: LockModel.Call) -> [Step] {
            [
                { lock, _ in
                    guard call == .forgive || lock.failures < 5 else { return .locked }
                    lock.failures = call == .attempt ? lock.failures + 1 : 0
                    return .checked
                }
            ]
        }
    }

    /// Lock that reads the count, checks the password, and writes the count that it has read, one greater.
    private struct LockLosingFailures: SteppedObject {
        typealias Model = LockModel
        var failures: UInt32 = 0

        static func steps(of call: LockModel.Call) -> [Step] {
            [
                { lock, seen in
                    seen = lock.failures
                    return nil
                },
                { lock, seen in
                    guard call == .forgive || seen < 5 else { return .locked }
                    lock.failures = call == .attempt ? seen + 1 : 0
                    return .checked
                },
            ]
        }
    }

    @Test("Failures of which one overwrites the other")
    func failures() {
        let model = LockModel(limit: 5, window: 1_000_000)
        func draw(_ generator: inout SeededGenerator) -> LockModel.Call {
            Int.random(in: 0..<20, using: &generator) == 0 ? .forgive : .attempt
        }
        #expect(refusals(of: Lock(), model, count: 20, killedOnceIn: 12, draw).isEmpty)
        let found = refusals(of: LockLosingFailures(), model, count: 20, killedOnceIn: 12, draw)
        #expect(found.count > Self.seeds.count / 4, "\(found.count)")
    }
}
