/// Hands the password to the waiting operation.
final class PasswordUserVerificationAnswer: PasswordUserVerificationHandler {
    private let slot: AnswerSlot<SecretBytes>

    init(_ slot: AnswerSlot<SecretBytes>) {
        self.slot = slot
    }

    deinit { slot.answer(.canceled) }

    func verify(_ password: String) { slot.answer(.given(SecretBytes(password))) }

    func verify(_ password: SecretBytes) { slot.answer(.given(password)) }

    func cancel() { slot.answer(.canceled) }
}
