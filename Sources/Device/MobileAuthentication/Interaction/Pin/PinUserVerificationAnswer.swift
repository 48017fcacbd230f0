/// Hands the PIN to the waiting operation.
final class PinUserVerificationAnswer: PinUserVerificationHandler {
    private let slot: AnswerSlot<SecretBytes>

    init(_ slot: AnswerSlot<SecretBytes>) {
        self.slot = slot
    }

    deinit { slot.answer(.canceled) }

    func verify(_ pin: String) { slot.answer(.given(SecretBytes(pin))) }

    func verify(_ pin: SecretBytes) { slot.answer(.given(pin)) }

    func cancel() { slot.answer(.canceled) }
}
