/// Hands the consent of the application to the waiting operation.
final class BiometricUserVerificationAnswer: BiometricUserVerificationHandler {
    private let slot: AnswerSlot<PresenceRequest>
    private let listening = Listening()

    init(_ slot: AnswerSlot<PresenceRequest>) { self.slot = slot }

    deinit { slot.answer(.canceled) }

    func listenForOsCredentials() -> any OsAuthenticationListenHandler {
        slot.answer(.given(PresenceRequest(texts: nil, listening: listening)))
        return listening
    }

    func verify() { slot.answer(.given(PresenceRequest())) }

    func verify(using options: BiometricPromptOptions) {
        let texts = PromptTexts(
            reason: options.reason, fallbackTitle: options.fallbackButtonTitle, cancelTitle: options.cancelButtonTitle)
        slot.answer(.given(PresenceRequest(texts: texts)))
    }

    func cancel() { slot.answer(.canceled) }
}
