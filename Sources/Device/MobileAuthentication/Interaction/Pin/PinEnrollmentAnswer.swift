/// Hands the PIN to the waiting operation.
final class PinEnrollmentAnswer: PinEnrollmentHandler {
    private let slot: AnswerSlot<SecretBytes>

    init(_ slot: AnswerSlot<SecretBytes>) {
        self.slot = slot
    }

    deinit { slot.answer(.canceled) }

    func pin(_ pin: String) { slot.answer(.given(SecretBytes(pin))) }

    func pin(_ pin: SecretBytes) { slot.answer(.given(pin)) }

    func cancel() { slot.answer(.canceled) }
}
