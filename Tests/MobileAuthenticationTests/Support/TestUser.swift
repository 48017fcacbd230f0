@testable import MobileAuthentication

/// Accepts what the SDK itself accepts.
struct AnyPassword: PasswordPolicy {
    func validatePasswordForEnrollment(
        _ password: String, onSuccess: @escaping () -> Void,
        onError: @escaping (PasswordEnrollmentValidationError) -> Void
    ) { onSuccess() }

    func validatePasswordForPasswordChange(
        _ password: String, onSuccess: @escaping () -> Void,
        onError: @escaping (PasswordChangeValidationError) -> Void
    ) { onSuccess() }
}

/// A user who has secrets at hand and cancels when they run out; remembers what was asked.
@MainActor
final class TestUser {
    private var secrets: [String]
    private let aaid: String?
    /// Called before each answer.
    var interruption: (@MainActor () -> Void)?
    /// Whether questions are kept without an answer.
    var isSilent = false
    /// What passwords are judged by.
    var policy: any PasswordPolicy = AnyPassword()
    private(set) var kept: [any Sendable] = []
    /// Whether the dialogs of the system are controlled and not only shown.
    var listens = false
    private(set) var selections: [any AuthenticatorSelectionContext] = []
    private(set) var refusals: [PinEnrollmentError?] = []
    private(set) var passwordRefusals: [PasswordEnrollmentError?] = []
    private(set) var statuses: [PinAuthenticatorProtectionStatus] = []
    private(set) var passwordStatuses: [PasswordAuthenticatorProtectionStatus] = []
    private(set) var pinChanges: [any PinChangeContext] = []
    private(set) var passwordChanges: [any PasswordChangeContext] = []
    /// The questions whether the user may be asked by the system, by the kind of verifier.
    private(set) var announcements: [String] = []
    private(set) var fingerErrors: [FingerprintUserVerificationError?] = []
    private(set) var acceptances = 0
    /// What is typed as digits of the other screen, one answer after the other; nil denies and reports.
    var digits: [String?] = []
    private(set) var linkings: [any ChannelLinkingContext] = []
    private(set) var accountChoices: [any AccountSelectionContext] = []
    /// The account to choose; nil denies and reports.
    var account: String? = "jeff"

    init(pins: [String] = [], aaid: String? = "F1D0#1001") {
        secrets = pins
        self.aaid = aaid
    }

    private func next() -> String? { secrets.isEmpty ? nil : secrets.removeFirst() }

    /// Gives the next secret, or none.
    private func answer(_ handler: some Sendable, _ give: (String) -> Void, cancel: () -> Void) {
        interruption?()
        guard !isSilent else { return kept.append(handler) }
        if let secret = next() { give(secret) } else { cancel() }
    }
}

extension TestUser: ValidCredentialsObserver {
    func onValidCredentialsProvided() { acceptances += 1 }
}

extension TestUser: AuthenticatorSelector {
    func selectAuthenticator(
        context: any AuthenticatorSelectionContext, handler: any AuthenticatorSelectionHandler
    ) {
        selections.append(context)
        interruption?()
        guard let aaid else { return handler.cancel() }
        handler.aaid(aaid)
    }
}

extension TestUser: AccountSelector, ChannelLinker {
    func selectAccount(context: any AccountSelectionContext, handler: any AccountSelectionHandler) {
        accountChoices.append(context)
        guard let account else { return handler.cancel(reporting: .unexpected) }
        handler.username(account)
    }

    func linkChannel(context: any ChannelLinkingContext, handler: any ChannelLinkingHandler) {
        linkings.append(context)
        if context.mode == .compare { return handler.confirm() }
        let answer = digits.isEmpty ? nil : digits.removeFirst()
        guard let answer else { return handler.cancel(reporting: .unexpected) }
        handler.digits(answer)
    }
}

extension TestUser: PinEnroller, PinUserVerifier, PinChanger {
    func enrollPin(context: any PinEnrollmentContext, handler: any PinEnrollmentHandler) {
        refusals.append(context.lastRecoverableError)
        answer(handler, { handler.pin($0) }, cancel: handler.cancel)
        // What comes second does nothing.
        if !isSilent { handler.cancel() }
    }

    func verifyPin(context: any PinUserVerificationContext, handler: any PinUserVerificationHandler) {
        statuses.append(context.authenticatorProtectionStatus)
        answer(handler, { handler.verify($0) }, cancel: handler.cancel)
    }

    /// Takes two secrets.
    func changePin(context: any PinChangeContext, handler: any PinChangeHandler) {
        pinChanges.append(context)
        answer(handler, { old in handler.pins(old, next() ?? "") }, cancel: handler.cancel)
    }
}

extension TestUser: PasswordEnroller, PasswordUserVerifier, PasswordChanger {
    func passwordPolicy() -> any PasswordPolicy { policy }

    func enrollPassword(context: any PasswordEnrollmentContext, handler: any PasswordEnrollmentHandler) {
        passwordRefusals.append(context.lastRecoverableError)
        answer(handler, { handler.password($0) }, cancel: handler.cancel)
    }

    func verifyPassword(
        context: any PasswordUserVerificationContext, handler: any PasswordUserVerificationHandler
    ) {
        passwordStatuses.append(context.authenticatorProtectionStatus)
        answer(handler, { handler.verify($0) }, cancel: handler.cancel)
    }

    /// Takes two secrets.
    func changePassword(context: any PasswordChangeContext, handler: any PasswordChangeHandler) {
        passwordChanges.append(context)
        answer(handler, { old in handler.passwords(old, next() ?? "") }, cancel: handler.cancel)
    }
}

extension TestUser: BiometricUserVerifier, DevicePasscodeUserVerifier, FingerprintUserVerifier {
    func verifyBiometric(
        context: any BiometricUserVerificationContext, handler: any BiometricUserVerificationHandler
    ) {
        announcements.append("biometric")
        if listens { return kept.append(handler.listenForOsCredentials()) }
        answer(handler, { handler.verify(using: BiometricPromptOptions(reason: $0)) }, cancel: handler.verify)
    }

    func verifyDevicePasscode(
        context: any DevicePasscodeUserVerificationContext, handler: any DevicePasscodeUserVerificationHandler
    ) {
        announcements.append("passcode")
        if listens { return kept.append(handler.listenForOsCredentials()) }
        answer(handler, { handler.verify(using: DevicePasscodePromptOptions(reason: $0)) }, cancel: handler.verify)
    }

    func verifyFingerprint(
        context: any FingerprintUserVerificationContext, handler: any FingerprintUserVerificationHandler
    ) {
        announcements.append("fingerprint")
        fingerErrors.append(context.lastRecoverableError)
        interruption?()
        kept.append(handler.listenForOsCredentials())
    }
}
