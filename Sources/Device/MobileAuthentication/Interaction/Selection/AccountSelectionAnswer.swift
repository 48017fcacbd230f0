/// Hands the choice to the waiting operation.
final class AccountSelectionAnswer: AccountSelectionHandler {
    private let slot: AnswerSlot<String>

    init(_ slot: AnswerSlot<String>) { self.slot = slot }

    deinit { slot.answer(.canceled) }

    func username(_ username: String) { slot.answer(.given(username)) }

    func cancel() { slot.answer(.canceled) }

    func cancel(reporting report: CancellationReport) { slot.answer(report == .unexpected ? .denied : .canceled) }
}
