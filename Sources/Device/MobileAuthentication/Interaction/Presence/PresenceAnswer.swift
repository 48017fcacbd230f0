import HardwareKeys
import UAFClient

/// Handler that resumes the waiting operation when the operating system may ask for the user.
///
/// The first answer counts, later ones do nothing, and a handler that is released without an answer cancels.
final class PresenceAnswer: BiometricUserVerificationHandler, DevicePasscodeUserVerificationHandler,
    FingerprintUserVerificationHandler
{
    private let slot: OneShot<UserAnswer<PresenceRequest>>
    private let listening = Listening()

    init(_ slot: OneShot<UserAnswer<PresenceRequest>>) { self.slot = slot }

    deinit { slot.fill(.canceled) }

    func listenForOsCredentials() -> any OsAuthenticationListenHandler {
        slot.fill(.given(PresenceRequest(texts: nil, listening: listening)))
        return listening
    }

    func verify() { slot.fill(.given(PresenceRequest())) }

    func verify(using options: BiometricPromptOptions) {
        let texts = PromptTexts(
            reason: options.reason, fallbackTitle: options.fallbackButtonTitle, cancelTitle: options.cancelButtonTitle)
        slot.fill(.given(PresenceRequest(texts: texts)))
    }

    func verify(using options: DevicePasscodePromptOptions) {
        slot.fill(.given(PresenceRequest(texts: PromptTexts(reason: options.reason))))
    }

    func cancel() { slot.fill(.canceled) }
}
