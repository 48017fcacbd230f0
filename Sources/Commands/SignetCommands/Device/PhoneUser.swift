import Foundation
import MobileAuthentication

/// The person who holds the phone: chooses the PIN authenticator and gives the PIN.
///
/// The PIN comes from a file, which gives it once, or from the terminal, which asks until it is right or locked.
@MainActor
final class PhoneUser: AuthenticatorSelector, PinEnroller, PinUserVerifier {
    private let pinFile: SecretFile?
    private var hasAnswered = false
    /// Why the user gave up; nil while nothing went wrong.
    private(set) var surrender: CommandFailure?

    init(pinFile: String?) {
        self.pinFile = pinFile.map(SecretFile.init)
    }

    func selectAuthenticator(
        context: any AuthenticatorSelectionContext, handler: any AuthenticatorSelectionHandler
    ) {
        let compliant = context.authenticators.first { context.isPolicyCompliant(authenticatorAaid: $0.aaid) }
        guard let compliant else {
            return giveUp(.refused("NoAuthenticator", "no authenticator of this phone fits the server's policy")) {
                handler.cancel()
            }
        }
        handler.aaid(compliant.aaid)
    }

    func enrollPin(context: any PinEnrollmentContext, handler: any PinEnrollmentHandler) {
        if let refusal = context.lastRecoverableError {
            let sentence = refusal.errorDescription ?? "the PIN was not accepted"
            if pinFile != nil || !tell(sentence) {
                return giveUp(.refused("PinRefused", sentence)) { handler.cancel() }
            }
        }
        answer("New PIN: ", { handler.pin($0) }, orElse: { handler.cancel() })
    }

    func verifyPin(context: any PinUserVerificationContext, handler: any PinUserVerificationHandler) {
        if case .LastAttemptFailed(let tries, let seconds) = context.authenticatorProtectionStatus {
            let wait = seconds > 0 ? " Wait \(seconds) seconds." : ""
            let sentence = "The PIN was wrong; \(tries) attempts are left.\(wait)"
            let mayAsk = pinFile == nil ? tell(sentence) : !hasAnswered && seconds == 0
            guard mayAsk else {
                return giveUp(.refused(hasAnswered ? "WrongPin" : "PinCoolDown", sentence)) { handler.cancel() }
            }
        }
        answer("PIN: ", { handler.verify($0) }, orElse: { handler.cancel() })
    }

    private func answer(_ question: String, _ give: (SecretBytes) -> Void, orElse cancel: () -> Void) {
        do throws(CommandFailure) {
            if let pinFile {
                give(SecretBytes(copying: try pinFile.octets()))
            } else if let pin = HiddenPrompt.ask(question) {
                give(pin)
            } else {
                throw .local("NoTerminal", "there is no terminal to ask for the PIN: use --pin-file")
            }
            hasAnswered = true
        } catch {
            giveUp(error, cancel)
        }
    }

    private func giveUp(_ failure: CommandFailure, _ cancel: () -> Void) {
        surrender = failure
        cancel()
    }

    /// Says a sentence on the terminal.
    private func tell(_ sentence: String) -> Bool {
        StandardError.write(sentence + "\n")
        return true
    }
}
