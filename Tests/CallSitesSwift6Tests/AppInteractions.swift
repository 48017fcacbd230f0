import MobileAuthentication

/// What a screen needs to know to ask for secrets.
struct CredentialParameter {
    var pinStatus: PinAuthenticatorProtectionStatus?
    var passwordStatus: PasswordAuthenticatorProtectionStatus?
    var lastRecoverableError: Error?
    var pinEnrollment: PinEnrollmentHandler?
    var pinChange: PinChangeHandler?
    var pinVerification: PinUserVerificationHandler?
    var passwordEnrollment: PasswordEnrollmentHandler?
    var passwordChange: PasswordChangeHandler?
    var passwordVerification: PasswordUserVerificationHandler?
}

/// Where an application sends its questions.
class AppCoordinator {
    private(set) var credential: CredentialParameter?
    private(set) var authenticators: AuthenticatorSelectionHandler?
    private(set) var accounts: AccountSelectionHandler?

    func navigate(_ parameter: CredentialParameter) { credential = parameter }

    func navigate(_ handler: AuthenticatorSelectionHandler) { authenticators = handler }

    func navigate(_ handler: AccountSelectionHandler) { accounts = handler }
}

/// Implements every interaction the way applications do: non-final classes that conform in extensions.
class AppInteractions {
    let coordinator: AppCoordinator
    let validators: AppValidators
    var biometric: BiometricUserVerificationHandler?
    var passcode: DevicePasscodeUserVerificationHandler?

    init(coordinator: AppCoordinator, validators: AppValidators) {
        self.coordinator = coordinator
        self.validators = validators
    }
}

extension AppInteractions: AccountSelector {
    func selectAccount(context: AccountSelectionContext, handler: AccountSelectionHandler) {
        let text = context.transactionConfirmationData.flatMap { String(data: $0, encoding: .utf8) }
        let accounts = validators.accounts(context)
        switch accounts.count {
        case 0: handler.username("")
        case 1 where text == nil: handler.username(accounts.first?.username ?? "")
        default: coordinator.navigate(handler)
        }
    }
}

extension AppInteractions: AuthenticatorSelector {
    func selectAuthenticator(context: AuthenticatorSelectionContext, handler: AuthenticatorSelectionHandler) {
        let authenticators = validators.registrable(context) + validators.usable(context)
        guard let only = authenticators.first, authenticators.count == 1 else {
            return coordinator.navigate(handler)
        }
        handler.aaid(only.aaid)
    }
}

extension AppInteractions: PinEnroller {
    func enrollPin(context: PinEnrollmentContext, handler: PinEnrollmentHandler) {
        coordinator.navigate(
            CredentialParameter(lastRecoverableError: context.lastRecoverableError, pinEnrollment: handler))
    }

    func pinPolicy() -> PinPolicy { AppPinPolicy() }
}

extension AppInteractions: PinChanger {
    func changePin(context: PinChangeContext, handler: PinChangeHandler) {
        coordinator.navigate(
            CredentialParameter(
                pinStatus: context.authenticatorProtectionStatus, lastRecoverableError: context.lastRecoverableError,
                pinChange: handler))
    }
}

extension AppInteractions: PinUserVerifier {
    func verifyPin(context: PinUserVerificationContext, handler: PinUserVerificationHandler) {
        coordinator.navigate(
            CredentialParameter(pinStatus: context.authenticatorProtectionStatus, pinVerification: handler))
    }
}

extension AppInteractions: PasswordEnroller {
    func enrollPassword(context: PasswordEnrollmentContext, handler: PasswordEnrollmentHandler) {
        coordinator.navigate(
            CredentialParameter(lastRecoverableError: context.lastRecoverableError, passwordEnrollment: handler))
    }

    func passwordPolicy() -> PasswordPolicy { AppPasswordPolicy() }
}

extension AppInteractions: PasswordChanger {
    func changePassword(context: PasswordChangeContext, handler: PasswordChangeHandler) {
        coordinator.navigate(
            CredentialParameter(
                passwordStatus: context.authenticatorProtectionStatus,
                lastRecoverableError: context.lastRecoverableError, passwordChange: handler))
    }
}

extension AppInteractions: PasswordUserVerifier {
    func verifyPassword(context: PasswordUserVerificationContext, handler: PasswordUserVerificationHandler) {
        coordinator.navigate(
            CredentialParameter(passwordStatus: context.authenticatorProtectionStatus, passwordVerification: handler))
    }
}

extension AppInteractions: BiometricUserVerifier {
    func verifyBiometric(context: BiometricUserVerificationContext, handler: BiometricUserVerificationHandler) {
        _ = context.authenticator.localizedTitle
        biometric = handler
        handler.verify(using: .init(reason: "Sign in", fallbackButtonTitle: "", cancelButtonTitle: "Leave"))
    }
}

extension AppInteractions: DevicePasscodeUserVerifier {
    func verifyDevicePasscode(
        context: DevicePasscodeUserVerificationContext, handler: DevicePasscodeUserVerificationHandler
    ) {
        _ = context.authenticator.localizedTitle
        passcode = handler
        handler.verify(using: .init(reason: "Sign in"))
    }
}
