/// Hands the password to the waiting operation.
final class PasswordEnrollmentAnswer: PasswordEnrollmentHandler {
    private let slot: AnswerSlot<SecretBytes>

    init(_ slot: AnswerSlot<SecretBytes>) {
        self.slot = slot
    }

    deinit { slot.answer(.canceled) }

    func password(_ password: String) { slot.answer(.given(SecretBytes(password))) }

    func password(_ password: SecretBytes) { slot.answer(.given(password)) }

    func cancel() { slot.answer(.canceled) }
}
