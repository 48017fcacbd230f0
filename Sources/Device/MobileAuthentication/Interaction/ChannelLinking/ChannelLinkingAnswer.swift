/// Hands the answer to the waiting operation.
final class ChannelLinkingAnswer: ChannelLinkingHandler {
    private let slot: AnswerSlot<String>
    private let shownDigits: String?

    init(_ slot: AnswerSlot<String>, shownDigits: String?) {
        self.slot = slot
        self.shownDigits = shownDigits
    }

    deinit { slot.answer(.canceled) }

    func digits(_ digits: String) { slot.answer(.given(digits)) }

    func confirm() { slot.answer(shownDigits.map(UserAnswer.given) ?? .canceled) }

    func cancel() { slot.answer(.canceled) }

    func cancel(reporting report: CancellationReport) { slot.answer(report == .unexpected ? .denied : .canceled) }
}
