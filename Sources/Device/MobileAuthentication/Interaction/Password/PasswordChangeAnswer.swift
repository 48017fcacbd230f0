/// Hands the old and the new password to the waiting operation.
final class PasswordChangeAnswer: PasswordChangeHandler {
    private let slot: AnswerSlot<OldAndNewSecret>

    init(_ slot: AnswerSlot<OldAndNewSecret>) { self.slot = slot }

    deinit { slot.answer(.canceled) }

    func passwords(_ oldPassword: String, _ newPassword: String) {
        passwords(SecretBytes(oldPassword), SecretBytes(newPassword))
    }

    func passwords(_ oldPassword: SecretBytes, _ newPassword: SecretBytes) {
        slot.answer(.given(OldAndNewSecret(old: oldPassword, new: newPassword)))
    }

    func cancel() { slot.answer(.canceled) }
}
