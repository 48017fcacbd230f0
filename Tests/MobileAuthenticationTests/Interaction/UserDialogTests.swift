import Testing

@testable import MobileAuthentication
@testable import UAFClient

@Suite("Questions to the user")
struct UserDialogTests {
    private let clock = ManualClock()
    private var dialog: UserDialog { UserDialog(clock: clock, patience: .seconds(240)) }
    private let unlimited = QuestionLimit(expiry: nil)

    @Test("The first answer of a handler counts, later ones do nothing")
    func firstAnswerCounts() async {
        let answer: UserAnswer<String> = await dialog.ask(unlimited) { slot in
            let handler = AnswerHandler(slot)
            handler.aaid("F1D0#1001")
            handler.aaid("F1D0#1002")
            handler.cancel()
        }
        guard case .given("F1D0#1001") = answer else {
            Issue.record("the first answer was not taken: \(answer)")
            return
        }
    }

    @Test("A handler that is dropped without an answer counts as canceled")
    func droppedHandlerCancels() async {
        let answer: UserAnswer<SecretBytes> = await dialog.ask(unlimited) { slot in _ = AnswerHandler(slot) }
        guard case .canceled = answer else {
            Issue.record("the dropped handler did not cancel: \(answer)")
            return
        }
    }

    @Test("A handler that is kept without an answer runs into the time-out")
    func silenceTimesOut() async {
        let kept = Kept<AnswerHandler<SecretBytes>>()
        async let answer: UserAnswer<SecretBytes> = dialog.ask(unlimited) { slot in
            kept.keep(AnswerHandler(slot))
        }
        await clock.advance(by: .seconds(240))
        guard case .timedOut = await answer else {
            Issue.record("the question did not time out")
            return
        }
        kept.handler?.verify("123456")
    }

    @Test("A cool-down lengthens the time for the answer")
    func coolDownLengthens() async {
        let kept = Kept<AnswerHandler<SecretBytes>>()
        let limit = QuestionLimit(expiry: nil, coolDown: .seconds(180))
        async let answer: UserAnswer<SecretBytes> = dialog.ask(limit) { slot in
            kept.keep(AnswerHandler(slot))
        }
        await clock.advance(by: .seconds(419))
        kept.handler?.verify("123456")
        guard case .given = await answer else {
            Issue.record("the answer inside the lengthened time was not taken")
            return
        }
    }

    @Test("Nothing is asked once the server has stopped waiting")
    func expiredRequestIsNotShown() async {
        clock.jump(by: .seconds(300))
        let answer: UserAnswer<SecretBytes> = await dialog.ask(QuestionLimit(expiry: .seconds(299))) { _ in
            Issue.record("the user was asked")
        }
        guard case .timedOut = answer else {
            Issue.record("the question did not time out: \(answer)")
            return
        }
    }

    @Test("Canceling the task answers like the handler's cancel")
    func taskCancellationCancels() async {
        let kept = Kept<AnswerHandler<SecretBytes>>()
        let task = Task { [dialog, unlimited] in
            let answer: UserAnswer<SecretBytes> = await dialog.ask(unlimited) { slot in
                kept.keep(AnswerHandler(slot))
            }
            return answer
        }
        while kept.handler == nil { await Task.yield() }
        task.cancel()
        guard case .canceled = await task.value else {
            Issue.record("the question was not canceled")
            return
        }
    }
}
