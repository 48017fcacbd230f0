/// Hands the choice to the waiting operation.
final class AuthenticatorSelectionAnswer: AuthenticatorSelectionHandler {
    private let slot: AnswerSlot<String>

    init(_ slot: AnswerSlot<String>) {
        self.slot = slot
    }

    deinit { slot.answer(.canceled) }

    func aaid(_ aaid: String) { slot.answer(.given(aaid)) }

    func cancel() { slot.answer(.canceled) }

    func cancel(reporting report: CancellationReport) { slot.answer(report == .unexpected ? .denied : .canceled) }
}
