import MobileAuthentication

/// Error of a listing that did not have the expected effect.
struct ListingFailure: Error {
    let expectation: String
}

/// Throws ``ListingFailure``, which ends the program, unless a condition is true.
func require(_ isSo: Bool, _ expectation: String) throws(ListingFailure) {
    guard isSo else { throw ListingFailure(expectation: expectation) }
}

/// Part of an application that the listings leave out: it knows the PIN and approves every question.
@MainActor
final class Person {
    private(set) var pin: String
    private(set) var password = "seven green apples"
    /// The authenticator they take.
    var wish = AuthenticatorAaid.Pin
    private(set) var shown: [String] = []

    init(pin: String) {
        self.pin = pin
    }

    /// Makes the next PIN the present one.
    func change(to next: String) { pin = next }

    /// Takes the next password for the one that counts.
    func change(toPassword next: String) { password = next }

    func show(_ text: String) { shown.append(text) }

    /// Answer to a question that is put in words.
    func approve(_ question: String) -> Bool { !question.isEmpty }

    /// Choice of an authenticator, as a screen would make it.
    func choose(among context: any AuthenticatorSelectionContext) async throws -> String {
        AuthenticatorAaid.Pin.rawValue
    }

    func newPin(after refusal: PinEnrollmentError?) async throws -> String { pin }

    func pin(_ status: PinAuthenticatorProtectionStatus) async throws -> String { pin }

    func show(_ context: any AuthenticatorSelectionContext, answering handler: any AuthenticatorSelectionHandler) {
        handler.aaid(AuthenticatorAaid.Pin.rawValue)
    }

    func show(_ context: any PinUserVerificationContext, answering handler: any PinUserVerificationHandler) {
        handler.verify(pin)
    }
}

extension Person: AuthenticatorSelector, AccountSelector {
    func selectAuthenticator(
        context: any AuthenticatorSelectionContext, handler: any AuthenticatorSelectionHandler
    ) {
        handler.aaid(wish.rawValue)
    }

    func selectAccount(context: any AccountSelectionContext, handler: any AccountSelectionHandler) {
        let accounts = context.authenticators.flatMap(\.registration.registeredAccounts)
        let aaid = wish.rawValue
        let asked = accounts.first { context.isPolicyCompliant(username: $0.username, aaid: aaid) }
        handler.username(asked?.username ?? "")
    }
}

extension Person: PinEnroller, PinUserVerifier, PinChanger {
    /// What a PIN is replaced by.
    static let nextPin = "593174"

    func enrollPin(context: any PinEnrollmentContext, handler: any PinEnrollmentHandler) { handler.pin(pin) }

    func verifyPin(context: any PinUserVerificationContext, handler: any PinUserVerificationHandler) {
        handler.verify(pin)
    }

    func changePin(context: any PinChangeContext, handler: any PinChangeHandler) { handler.pins(pin, Self.nextPin) }
}

extension Person: PasswordEnroller, PasswordUserVerifier, PasswordChanger {
    /// What a password is replaced by.
    static let nextPassword = "eight yellow pears"

    func passwordPolicy() -> any PasswordPolicy { TakenPasswords() }

    func enrollPassword(context: any PasswordEnrollmentContext, handler: any PasswordEnrollmentHandler) {
        handler.password(password)
    }

    func verifyPassword(context: any PasswordUserVerificationContext, handler: any PasswordUserVerificationHandler) {
        handler.verify(password)
    }

    func changePassword(context: any PasswordChangeContext, handler: any PasswordChangeHandler) {
        handler.passwords(password, Self.nextPassword)
    }
}

extension Person: BiometricUserVerifier, DevicePasscodeUserVerifier {
    func verifyBiometric(context: any BiometricUserVerificationContext, handler: any BiometricUserVerificationHandler) {
        handler.verify()
    }

    func verifyDevicePasscode(
        context: any DevicePasscodeUserVerificationContext, handler: any DevicePasscodeUserVerificationHandler
    ) {
        handler.verify()
    }
}

extension Person: ChannelLinker, DeregistrationConfirmer {
    func linkChannel(context: any ChannelLinkingContext, handler: any ChannelLinkingHandler) { handler.confirm() }

    func confirmDeregistration(
        context: any DeregistrationConfirmationContext, handler: any DeregistrationConfirmationHandler
    ) {
        handler.confirm()
    }
}

/// An application that leaves passwords to its users.
struct TakenPasswords: PasswordPolicy {
    func validatePasswordForEnrollment(
        _ password: String, onSuccess: @escaping () -> Void,
        onError: @escaping (PasswordEnrollmentValidationError) -> Void
    ) {
        onSuccess()
    }

    func validatePasswordForPasswordChange(
        _ password: String, onSuccess: @escaping () -> Void, onError: @escaping (PasswordChangeValidationError) -> Void
    ) {
        onSuccess()
    }
}

/// The user whom an application knows from its own sign-in.
struct KnownUser {
    let id: String
}

/// Storage of an application for what a server has issued.
@MainActor
final class WebSession {
    private(set) var cookies: [HTTPCookie] = []

    func use(_ cookies: [HTTPCookie]) { self.cookies = cookies }
}
