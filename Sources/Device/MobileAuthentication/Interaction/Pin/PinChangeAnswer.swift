/// Hands the old and the new PIN to the waiting operation.
final class PinChangeAnswer: PinChangeHandler {
    private let slot: AnswerSlot<OldAndNewSecret>

    init(_ slot: AnswerSlot<OldAndNewSecret>) { self.slot = slot }

    deinit { slot.answer(.canceled) }

    func pins(_ oldPin: String, _ newPin: String) { pins(SecretBytes(oldPin), SecretBytes(newPin)) }

    func pins(_ oldPin: SecretBytes, _ newPin: SecretBytes) {
        slot.answer(.given(OldAndNewSecret(old: oldPin, new: newPin)))
    }

    func cancel() { slot.answer(.canceled) }
}
