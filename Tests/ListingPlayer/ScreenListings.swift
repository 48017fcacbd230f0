import MobileAuthentication

// Screens of an application, as the documentation comments of the SDK show them, and the parts that they leave out.

/// Button that ends what runs.
@MainActor
final class StopButton {
    var action: (() -> Void)?
}

/// Menu of authenticators, in which the user chooses as a closure says.
@MainActor
final class Menu {
    private let choose: ([String]) -> String?

    init(_ choose: @escaping ([String]) -> String?) { self.choose = choose }

    func show(_ aaids: [String], _ answer: (String?) -> Void) { answer(choose(aaids)) }
}

/// Keys on a screen, on which the user types what a closure says.
@MainActor
final class Keypad {
    private let type: (String) -> String

    init(_ type: @escaping (String) -> String) { self.type = type }

    func ask(_ question: String, _ answer: (String) -> Void) { answer(type(question)) }
}

// Listing begins
struct ChoiceScreen: AuthenticatorSelector {
    let menu: Menu

    func selectAuthenticator(
        context: any AuthenticatorSelectionContext, handler: any AuthenticatorSelectionHandler
    ) {
        let accepted = context.authenticators.map(\.aaid).filter(context.isPolicyCompliant(authenticatorAaid:))
        menu.show(accepted) { choice in
            if let choice { handler.aaid(choice) } else { handler.cancel() }
        }
    }
}
// Listing ends

// Listing begins
struct PinScreen: PinEnroller, PinUserVerifier {
    let keypad: Keypad

    func pinPolicy() -> any PinPolicy { BankPinPolicy() }

    func enrollPin(context: any PinEnrollmentContext, handler: any PinEnrollmentHandler) {
        keypad.ask(context.lastRecoverableError?.localizedDescription ?? "Choose a PIN.") { handler.pin($0) }
    }

    func verifyPin(context: any PinUserVerificationContext, handler: any PinUserVerificationHandler) {
        keypad.ask(context.authenticatorProtectionStatus.description) { handler.verify($0) }
    }
}
// Listing ends

// Listing begins
struct BankPinPolicy: PinPolicy {
    var maxLength: Int { 8 }  // Six digits or more.

    func validatePinForEnrollment(
        _ pin: String, onSuccess: @escaping () -> Void, onError: @escaping (PinEnrollmentValidationError) -> Void
    ) {
        if pin.hasPrefix("19") { onError(.InvalidPin(message: "Not a year, please.")) } else { onSuccess() }
    }
}
// Listing ends

// Listing begins
struct PasswordScreen: PasswordEnroller, PasswordUserVerifier {
    let keyboard: Keypad

    func enrollPassword(context: any PasswordEnrollmentContext, handler: any PasswordEnrollmentHandler) {
        keyboard.ask("Choose a password.") { handler.password($0) }
    }

    func verifyPassword(
        context: any PasswordUserVerificationContext, handler: any PasswordUserVerificationHandler
    ) {
        keyboard.ask(context.authenticatorProtectionStatus.description) { handler.verify($0) }
    }
}
// Listing ends

// Listing begins
struct FingerScreen: BiometricUserVerifier {
    func verifyBiometric(
        context: any BiometricUserVerificationContext, handler: any BiometricUserVerificationHandler
    ) {
        handler.verify(using: BiometricPromptOptions(reason: "Sign in to the bank", fallbackButtonTitle: ""))
    }
}
// Listing ends

// Listing begins
struct LinkScreen: ChannelLinker {
    let keypad: Keypad

    func linkChannel(context: any ChannelLinkingContext, handler: any ChannelLinkingHandler) {
        switch context.mode {
        case .typed: keypad.ask("Which \(context.digitCount) digits does it show?") { handler.digits($0) }
        case .compare:
            keypad.ask("Does it show \(context.digits ?? "nothing")?") { answer in
                if answer == "yes" { handler.confirm() } else { handler.cancel() }
            }
        @unknown default: handler.cancel()
        }
    }
}
// Listing ends

// Listing begins
struct WarningLogger: SDKLogger {
    func log(_ level: SDKLogLevel, _ category: SDKLogCategory, _ message: String, _ fields: [SDKLogField]) {
        guard level >= .warning else { return }
        let details = fields.map(\.description).joined(separator: " ")
        FileHandle.standardError.write(Data("\(category.rawValue): \(message) \(details)\n".utf8))
    }
}
// Listing ends
