import UAFClient

/// Handler that resumes the waiting operation when the operating system may ask for the user.
///
/// The first answer counts, later ones do nothing, and a handler that is released without an answer cancels.
final class PresenceAnswer: BiometricUserVerificationHandler, DevicePasscodeUserVerificationHandler,
    FingerprintUserVerificationHandler
{
    private let question: OpenQuestion<PresenceRequest>
    private let listening = Listening()

    init(_ question: OpenQuestion<PresenceRequest>) { self.question = question }

    deinit { question.fill(.canceled) }

    func listenForOsCredentials() -> any OsAuthenticationListenHandler {
        question.fill(.given(PresenceRequest(texts: nil, listening: listening)))
        return listening
    }

    func verify() { question.fill(.given(PresenceRequest())) }

    func verify(using options: BiometricPromptOptions) {
        let texts = PromptTexts(
            reason: options.reason, fallbackTitle: options.fallbackButtonTitle, cancelTitle: options.cancelButtonTitle)
        question.fill(.given(PresenceRequest(texts: texts)))
    }

    func verify(using options: DevicePasscodePromptOptions) {
        question.fill(.given(PresenceRequest(texts: PromptTexts(reason: options.reason))))
    }

    func cancel() { question.fill(.canceled) }

    func onEnd(_ action: @escaping @MainActor () -> Void) { question.onEnd(action) }
}
