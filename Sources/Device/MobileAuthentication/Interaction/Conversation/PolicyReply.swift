/// What the closures of a policy share: when both are released without a call, the waiting ends.
final class PolicyReply: Sendable {
    private let slot: AnswerSlot<SecretFlaw?>

    init(_ slot: AnswerSlot<SecretFlaw?>) {
        self.slot = slot
    }

    deinit { slot.answer(.canceled) }

    func give(_ flaw: SecretFlaw?) { slot.answer(.given(flaw)) }
}
