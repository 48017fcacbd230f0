import Linearizability
import TestSupport
import Testing

@Suite("Random histories: atomic objects are accepted, and no verdict differs from the one of every order tried")
struct RandomLinearizabilityTests {
    /// `SIGNET_LINEARIZABILITY_HISTORIES`: how many histories of each kind are played.
    private let count = SlowTests.size("SIGNET_LINEARIZABILITY_HISTORIES", sample: 80, whole: 5_000)

    /// Verdicts that were compared.
    private struct Tally {
        var accepted = 0
        var refused = 0
    }

    // MARK: - Playing

    /// Long histories of an atomic object; every one has to be accepted.
    private func expectAccepted<Model: SequentialModel>(
        _ object: AtomicObject<Model>, length: Int = 60, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        var object = object
        for seed in 0..<UInt64(count) {
            var generator = SeededGenerator(seed: seed)
            object.unansweredShare = seed % 2 == 0 ? 0 : 6
            let history = object.history(of: length, by: 1 + Int(seed % 8), &generator)
            let verdict = LinearizabilityChecker(object.model).verdict(on: history)
            if verdict.isLinearizable { continue }
            let reason = verdict.counterexample.map { "\($0)" } ?? "undecided"
            Issue.record("seed \(seed): \(reason)", sourceLocation: sourceLocation)
        }
    }

    /// Short histories, most of them with an answer or a span that is changed, judged by both checkers.
    private func compare<Model: SequentialModel>(
        _ object: AtomicObject<Model>, answers: [Model.Answer], isExact: Bool = true,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        var object = object
        var tally = Tally()
        for seed in 0..<UInt64(count) {
            var generator = SeededGenerator(seed: seed)
            object.unansweredShare = seed % 3 == 0 ? 0 : 5
            var history = object.history(of: 6, by: 3, &generator)
            for _ in 0..<Int.random(in: 0...2, using: &generator) { change(&history, answers, &generator) }
            let expected = ExhaustiveChecker(model: object.model).isLinearizable(history)
            let found = LinearizabilityChecker(object.model).verdict(on: history).isLinearizable
            tally.accepted += found ? 1 : 0
            tally.refused += found ? 0 : 1
            if expected == found || (!isExact && expected) { continue }
            Issue.record("seed \(seed): \(expected) expected, \(history)", sourceLocation: sourceLocation)
        }
        #expect(min(tally.accepted, tally.refused) > count / 20, "\(tally)", sourceLocation: sourceLocation)
    }

    private func change<Call, Answer>(
        _ history: inout [RecordedOperation<Call, Answer>], _ answers: [Answer], _ generator: inout SeededGenerator
    ) {
        guard let index = history.indices.randomElement(using: &generator), let old = history[index].answer else {
            return
        }
        let operation = history[index]
        let (start, end) = (operation.span.start, operation.span.end)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0:
            let end = Int64.random(in: start...end, using: &generator)
            history[index] = RecordedOperation(operation.client, operation.call, old, from: start, to: end)
        case 1: history.remove(at: index)
        default:
            let answer = answers.randomElement(using: &generator) ?? old
            history[index] = RecordedOperation(operation.client, operation.call, answer, from: start, to: end)
        }
    }

    // MARK: - Models

    private let counter = AtomicObject(model: SignatureCounterModel()) { generator in
        SignatureCounterModel.Call(UInt32.random(in: 0...9, using: &generator))
    }

    private let credential = AtomicObject(model: CredentialModel()) { generator in
        let counter = UInt32.random(in: 0...5, using: &generator)
        return switch Int.random(in: 0..<5, using: &generator) {
        case 0: CredentialModel.Call.remove
        case 1: .register(counter: counter)
        default: .authenticate(counter: counter)
        }
    }

    private let token = AtomicObject(model: SingleUseTokenModel()) { generator in
        Int.random(in: 0..<6, using: &generator) == 0 ? SingleUseTokenModel.Call.withdraw : .redeem
    }

    private let replayCache = AtomicObject(model: ReplayCacheModel(freshUntil: 8)) { _ in
        ReplayCacheModel.Call.present
    }

    private func lock(window: Int64) -> AtomicObject<LockModel> {
        AtomicObject(model: LockModel(limit: 3, window: window)) { generator in
            Int.random(in: 0..<5, using: &generator) == 0 ? LockModel.Call.forgive : .attempt
        }
    }

    @Test("Signature counter")
    func counters() {
        expectAccepted(counter)
        compare(counter, answers: Decision.allCases)
    }

    @Test("Credential")
    func credentials() {
        expectAccepted(credential)
        compare(credential, answers: Decision.allCases)
    }

    @Test("Single-use token")
    func tokens() {
        expectAccepted(token)
        compare(token, answers: Decision.allCases)
    }

    @Test("Entry of a replay cache")
    func replays() {
        expectAccepted(replayCache)
        compare(replayCache, answers: Decision.allCases, isExact: false)
    }

    @Test("Lock, with a window that never ends and with one that ends again and again")
    func locks() {
        let answers = LockModel.Answer.allCases
        expectAccepted(lock(window: 1_000_000), length: 30)
        compare(lock(window: 1_000_000), answers: answers)
        expectAccepted(lock(window: 12), length: 30)
        // Every order tried knows the spans only; the reductions know that each operation has one moment.
        compare(lock(window: 12), answers: answers, isExact: false)
    }
}

extension LinearizabilityChecker.Verdict {
    /// Whether an order was found.
    var isLinearizable: Bool { if case .linearizable = self { true } else { false } }

    /// Counterexample; nil for every other verdict.
    var counterexample: Counterexample<Model>? { if case .refused(let found) = self { found } else { nil } }
}
