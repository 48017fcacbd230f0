public import MobileAuthentication

extension ScriptedUser: PinEnroller, PinUserVerifier, PinChanger {
    /// The rules for new PINs.
    public func pinPolicy() -> any PinPolicy { pinRules ?? LengthPolicy(digits: (newPin ?? pin).count) }

    /// Chooses ``pin``.
    public func enrollPin(context: any PinEnrollmentContext, handler: any PinEnrollmentHandler) {
        var prompt = Prompt(.enrollPin)
        prompt.refusal = context.lastRecoverableError?.localizedDescription
        let pin = pin
        react(
            to: prompt,
            Question(
                approve: { handler.pin(pin) }, deny: { handler.cancel() }, enter: { handler.pin($0 ?? pin.mistyped) }))
    }

    /// Enters ``pin``.
    public func verifyPin(context: any PinUserVerificationContext, handler: any PinUserVerificationHandler) {
        var prompt = Prompt(.verifyPin)
        prompt.protection = Prompt.Protection(context.authenticatorProtectionStatus)
        let pin = pin
        react(
            to: prompt,
            Question(
                approve: { handler.verify(pin) }, deny: { handler.cancel() },
                enter: { handler.verify($0 ?? pin.mistyped) }))
    }

    /// Enters ``pin`` and chooses ``newPin``; afterwards the user knows the new one.
    public func changePin(context: any PinChangeContext, handler: any PinChangeHandler) {
        var prompt = Prompt(.changePin)
        prompt.protection = Prompt.Protection(context.authenticatorProtectionStatus)
        prompt.refusal = context.lastRecoverableError?.localizedDescription
        let (old, new) = (pin, newPin ?? pin.mistyped)
        react(
            to: prompt,
            Question(
                approve: { handler.pins(old, new) }, deny: { handler.cancel() },
                enter: { handler.pins($0 ?? old.mistyped, new) }))
    }
}

extension ScriptedUser: PasswordEnroller, PasswordUserVerifier, PasswordChanger {
    /// The rules for new passwords.
    public func passwordPolicy() -> any PasswordPolicy { passwordRules ?? AnyPasswordPolicy() }

    /// Chooses ``password``.
    public func enrollPassword(context: any PasswordEnrollmentContext, handler: any PasswordEnrollmentHandler) {
        var prompt = Prompt(.enrollPassword)
        prompt.refusal = context.lastRecoverableError?.localizedDescription
        let password = password
        react(
            to: prompt,
            Question(
                approve: { handler.password(password) }, deny: { handler.cancel() },
                enter: { handler.password($0 ?? password.mistyped) }))
    }

    /// Enters ``password``.
    public func verifyPassword(
        context: any PasswordUserVerificationContext, handler: any PasswordUserVerificationHandler
    ) {
        var prompt = Prompt(.verifyPassword)
        prompt.protection = Prompt.Protection(context.authenticatorProtectionStatus)
        let password = password
        react(
            to: prompt,
            Question(
                approve: { handler.verify(password) }, deny: { handler.cancel() },
                enter: { handler.verify($0 ?? password.mistyped) }))
    }

    /// Enters ``password`` and chooses ``newPassword``; afterwards the user knows the new one.
    public func changePassword(context: any PasswordChangeContext, handler: any PasswordChangeHandler) {
        var prompt = Prompt(.changePassword)
        prompt.protection = Prompt.Protection(context.authenticatorProtectionStatus)
        prompt.refusal = context.lastRecoverableError?.localizedDescription
        let (old, new) = (password, newPassword ?? password.mistyped)
        react(
            to: prompt,
            Question(
                approve: { handler.passwords(old, new) }, deny: { handler.cancel() },
                enter: { handler.passwords($0 ?? old.mistyped, new) }))
    }
}

extension ScriptedUser {
    /// Counts the entry; after a change the user knows the new secret.
    public func onValidCredentialsProvided() {
        acceptedEntryCount += 1
        switch prompts.last?.kind {
        case .changePin:
            pin = newPin ?? pin.mistyped
            newPin = nil
        case .changePassword:
            password = newPassword ?? password.mistyped
            newPassword = nil
        default: break
        }
    }
}

/// As many digits as the user's own PIN has.
private struct LengthPolicy: PinPolicy {
    let minLength: Int
    let maxLength: Int
    let allowsCommonPins = true

    nonisolated init(digits: Int) { (minLength, maxLength) = (digits, digits) }
}

/// Accepts every password.
private struct AnyPasswordPolicy: PasswordPolicy {
    func validatePasswordForEnrollment(
        _ password: String, onSuccess: @escaping () -> Void,
        onError: @escaping (PasswordEnrollmentValidationError) -> Void
    ) { onSuccess() }

    func validatePasswordForPasswordChange(
        _ password: String, onSuccess: @escaping () -> Void,
        onError: @escaping (PasswordChangeValidationError) -> Void
    ) { onSuccess() }
}
