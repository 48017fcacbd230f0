/// Hands the consent of the application to the waiting operation.
final class DevicePasscodeUserVerificationAnswer: DevicePasscodeUserVerificationHandler {
    private let slot: AnswerSlot<PresenceRequest>

    init(_ slot: AnswerSlot<PresenceRequest>) { self.slot = slot }

    deinit { slot.answer(.canceled) }

    func verify() { slot.answer(.given(PresenceRequest())) }

    func verify(using options: DevicePasscodePromptOptions) {
        slot.answer(.given(PresenceRequest(texts: PromptTexts(reason: options.reason))))
    }

    func cancel() { slot.answer(.canceled) }
}
