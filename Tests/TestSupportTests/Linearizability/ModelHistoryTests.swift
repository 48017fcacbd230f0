import Linearizability
import Testing

/// Histories by hand; times are steps.
@Suite("Histories that are linearizable, and histories that are not")
struct ModelHistoryTests {
    private func isAccepted<Model: SequentialModel>(
        _ model: Model, _ history: [RecordedOperation<Model.Call, Model.Answer>]
    ) -> Bool {
        LinearizabilityChecker(model).verdict(on: history).isLinearizable
    }

    // MARK: - Signature counter

    private func use(
        _ counter: UInt32, _ answer: Decision?, _ start: Int64, _ end: Int64 = .max
    ) -> RecordedOperation<SignatureCounterModel.Call, Decision> {
        let call = SignatureCounterModel.Call(counter)
        return answer.map { RecordedOperation("a", call, $0, from: start, to: end) }
            ?? RecordedOperation("a", call, unansweredFrom: start)
    }

    @Test("A counter that grows is accepted, in whatever order overlapping uses took effect")
    func growingCounter() {
        let model = SignatureCounterModel()
        #expect(isAccepted(model, [use(1, .accepted, 0, 1), use(2, .accepted, 2, 3), use(2, .refused, 4, 5)]))
        #expect(isAccepted(model, [use(2, .accepted, 0, 10), use(1, .accepted, 1, 9)]), "1 may come first")
        #expect(isAccepted(model, [use(2, .accepted, 0, 10), use(1, .refused, 1, 9)]))
        #expect(isAccepted(model, [use(0, .accepted, 0, 1), use(0, .accepted, 2, 3)]), "it does not count")
        #expect(isAccepted(model, []))
    }

    @Test("The same counter twice, or a smaller one after a greater, is refused")
    func fallingCounter() {
        let model = SignatureCounterModel()
        #expect(!isAccepted(model, [use(2, .accepted, 0, 10), use(2, .accepted, 1, 9)]))
        #expect(!isAccepted(model, [use(2, .accepted, 0, 1), use(1, .accepted, 2, 3)]))
        #expect(!isAccepted(model, [use(1, .refused, 0, 1)]), "nothing has moved the counter")
        #expect(!isAccepted(model, [use(1, .refused, 0, 1), use(1, .accepted, 2, 3)]))
    }

    @Test("A use without an answer may have moved the counter or not, at any time after it began, but not before")
    func unansweredUse() {
        let model = SignatureCounterModel()
        #expect(isAccepted(model, [use(5, nil, 0), use(4, .accepted, 1, 2), use(4, .refused, 3, 4)]))
        #expect(isAccepted(model, [use(5, nil, 0), use(4, .refused, 1, 2)]))
        #expect(isAccepted(model, [use(5, nil, 0), use(5, .accepted, 1, 2)]))
        #expect(!isAccepted(model, [use(4, .refused, 0, 1), use(5, nil, 2)]))
        #expect(!isAccepted(model, [use(5, nil, 0), use(6, .accepted, 1, 2), use(6, .accepted, 3, 4)]))
    }

    @Test("A use without an answer whose server is gone has moved the counter before, or never")
    func endedUse() {
        let model = SignatureCounterModel()
        let gone = RecordedOperation<SignatureCounterModel.Call, Decision>("a", .init(5), unansweredFrom: 0, until: 3)
        #expect(isAccepted(model, [gone, use(4, .accepted, 1, 2), use(4, .refused, 4, 5)]))
        #expect(
            isAccepted(model, [gone, use(4, .refused, 4, 5)]) && isAccepted(model, [gone, use(4, .accepted, 4, 5)]))
        #expect(isAccepted(model, [gone, use(4, .accepted, 2, 5), use(5, .accepted, 6, 7)]))
        #expect(!isAccepted(model, [gone, use(4, .accepted, 4, 5), use(5, .refused, 6, 7)]), "it came too late")
        #expect(!isAccepted(model, [gone, use(4, .refused, 4, 5), use(4, .accepted, 6, 7)]))
    }

    // MARK: - Credential

    private func on(
        _ call: CredentialModel.Call, _ answer: Decision?, _ start: Int64, _ end: Int64 = .max
    ) -> RecordedOperation<CredentialModel.Call, Decision> {
        answer.map { RecordedOperation("a", call, $0, from: start, to: end) }
            ?? RecordedOperation("a", call, unansweredFrom: start)
    }

    @Test("A credential is used between its registration and its removal, and can be registered anew")
    func credentialLife() {
        let model = CredentialModel()
        #expect(
            isAccepted(
                model,
                [
                    on(.authenticate(counter: 9), .refused, 0, 1), on(.register(counter: 1), .accepted, 2, 3),
                    on(.register(counter: 1), .refused, 4, 5), on(.authenticate(counter: 2), .accepted, 6, 7),
                    on(.remove, .accepted, 8, 11), on(.authenticate(counter: 3), .refused, 9, 10),
                    on(.remove, .accepted, 12, 13), on(.register(counter: 0), .accepted, 14, 15),
                ]))
        #expect(
            isAccepted(
                model,
                [
                    on(.register(counter: 1), nil, 0), on(.authenticate(counter: 2), .refused, 1, 2),
                    on(.authenticate(counter: 2), .accepted, 3, 4), on(.remove, nil, 5),
                    on(.authenticate(counter: 3), .accepted, 6, 7), on(.authenticate(counter: 4), .refused, 8, 9),
                ]), "both took effect late")
    }

    @Test("A use after the removal, a second registration, and a registration that is lost, are refused")
    func credentialFaults() {
        let model = CredentialModel()
        let begun = [on(.register(counter: 1), .accepted, 0, 1)]
        #expect(!isAccepted(model, begun + [on(.register(counter: 1), .accepted, 2, 3)]))
        #expect(!isAccepted(model, begun + [on(.authenticate(counter: 2), .refused, 2, 3)]), "it is lost")
        #expect(
            !isAccepted(model, begun + [on(.remove, .accepted, 2, 3), on(.authenticate(counter: 2), .accepted, 4, 5)]))
        #expect(
            !isAccepted(
                model,
                begun + [
                    on(.remove, nil, 2), on(.authenticate(counter: 2), .refused, 3, 4),
                    on(.authenticate(counter: 3), .accepted, 5, 6),
                ]), "what was gone does not come back")
    }

    // MARK: - Token and replay cache

    private func on(
        _ call: SingleUseTokenModel.Call, _ answer: Decision?, _ start: Int64, _ end: Int64 = .max
    ) -> RecordedOperation<SingleUseTokenModel.Call, Decision> {
        answer.map { RecordedOperation("a", call, $0, from: start, to: end) }
            ?? RecordedOperation("a", call, unansweredFrom: start)
    }

    @Test("Of all who redeem a token one is accepted, or none when an answer was lost or it was withdrawn")
    func token() {
        let model = SingleUseTokenModel()
        #expect(isAccepted(model, [on(.redeem, .refused, 0, 9), on(.redeem, .accepted, 1, 8)]))
        #expect(isAccepted(model, [on(.redeem, nil, 0), on(.redeem, .refused, 1, 2)]))
        #expect(isAccepted(model, [on(.redeem, nil, 0), on(.redeem, .accepted, 1, 2), on(.redeem, .refused, 3, 4)]))
        #expect(isAccepted(model, [on(.withdraw, .accepted, 0, 9), on(.redeem, .accepted, 1, 2)]))
        #expect(isAccepted(model, [on(.withdraw, .accepted, 0, 1), on(.redeem, .refused, 2, 3)]))
    }

    @Test("A token that is redeemed twice, or after its withdrawal, or refused though no one was there, is refused")
    func tokenFaults() {
        let model = SingleUseTokenModel()
        #expect(!isAccepted(model, [on(.redeem, .accepted, 0, 9), on(.redeem, .accepted, 1, 8)]))
        #expect(!isAccepted(model, [on(.redeem, .refused, 0, 1), on(.redeem, .accepted, 2, 3)]))
        #expect(!isAccepted(model, [on(.redeem, .refused, 0, 1), on(.redeem, nil, 2)]))
        #expect(!isAccepted(model, [on(.withdraw, .accepted, 0, 1), on(.redeem, .accepted, 2, 3)]))
    }

    @Test("A signed request is accepted once and while it is fresh")
    func replayCache() {
        func present(
            _ answer: Decision?, _ start: Int64, _ end: Int64 = .max
        ) -> RecordedOperation<ReplayCacheModel.Call, Decision> {
            answer.map { RecordedOperation("a", .present, $0, from: start, to: end) }
                ?? RecordedOperation("a", .present, unansweredFrom: start)
        }
        let model = ReplayCacheModel(freshUntil: 100)
        #expect(isAccepted(model, [present(.accepted, 0, 9), present(.refused, 1, 8)]))
        #expect(isAccepted(model, [present(nil, 0), present(.refused, 1, 2)]))
        #expect(isAccepted(model, [present(.accepted, 99, 102)]) && isAccepted(model, [present(.refused, 99, 102)]))
        #expect(isAccepted(model, [present(.refused, 101, 102)]))
        #expect(!isAccepted(model, [present(.accepted, 0, 9), present(.accepted, 1, 8)]))
        #expect(!isAccepted(model, [present(.refused, 0, 9)]), "it had not been seen")
        #expect(!isAccepted(model, [present(.accepted, 101, 102)]), "it is stale")
    }

    // MARK: - Lock

    private func attempt(
        _ answer: LockModel.Answer?, _ start: Int64, _ end: Int64 = .max
    ) -> RecordedOperation<LockModel.Call, LockModel.Answer> {
        answer.map { RecordedOperation("a", .attempt, $0, from: start, to: end) }
            ?? RecordedOperation("a", .attempt, unansweredFrom: start)
    }

    private func forgiveness(
        _ start: Int64, _ end: Int64
    ) -> RecordedOperation<LockModel.Call, LockModel.Answer> {
        RecordedOperation("a", .forgive, .checked, from: start, to: end)
    }

    @Test("After the last attempt nothing is looked at until the window ends, and a right password forgives the others")
    func lock() {
        let model = LockModel(limit: 2, window: 100)
        let twice = [attempt(.checked, 0, 3), attempt(.checked, 1, 4)]
        #expect(isAccepted(model, twice + [attempt(.locked, 5, 6), attempt(.checked, 110, 111)]))
        #expect(isAccepted(model, twice + [attempt(.locked, 99, 101)]))
        #expect(isAccepted(model, twice + [attempt(.checked, 99, 101)]), "the window ends in between")
        #expect(isAccepted(model, [attempt(nil, 0), attempt(.checked, 1, 2), attempt(.locked, 3, 4)]))
        #expect(isAccepted(model, [attempt(nil, 0), attempt(.checked, 1, 2), attempt(.checked, 3, 4)]))
        let forgiven = [attempt(.checked, 0, 1), attempt(.checked, 2, 5), forgiveness(2, 5)]
        #expect(
            isAccepted(model, forgiven + [attempt(.checked, 6, 7), attempt(.checked, 8, 9), attempt(.locked, 10, 11)]))
    }

    @Test("An attempt too many, a lock too early, and one that outlives its window, are refused")
    func lockFaults() {
        let model = LockModel(limit: 2, window: 100)
        let three = (0..<3).map { attempt(.checked, $0, 9) }
        #expect(!isAccepted(model, three))
        #expect(!isAccepted(model, [attempt(.checked, 0, 1), attempt(.locked, 2, 3)]))
        #expect(!isAccepted(model, [attempt(.locked, 0, 1)]))
        let twice = Array(three.prefix(2))
        #expect(!isAccepted(model, twice + [attempt(.checked, 20, 21)]))
        #expect(!isAccepted(model, twice + [attempt(.locked, 120, 121)]))
        #expect(!isAccepted(model, twice + [forgiveness(10, 11), attempt(.locked, 12, 13)]))
    }
}
