extension SecretFlaw {
    /// What a policy says against a new PIN.
    init(_ error: PinEnrollmentValidationError) {
        switch error {
        case .InvalidPin(let message, let cause): self = .unwanted(message: message, cause: cause)
        }
    }

    /// What a policy says against the new PIN of a change.
    init(_ error: PinChangeValidationError) {
        switch error {
        case .InvalidPin(let message, let cause): self = .unwanted(message: message, cause: cause)
        }
    }

    /// What a policy says against a new password.
    init(_ error: PasswordEnrollmentValidationError) {
        switch error {
        case .InvalidPassword(let message, let cause): self = .unwanted(message: message, cause: cause)
        }
    }

    /// What a policy says against the new password of a change.
    init(_ error: PasswordChangeValidationError) {
        switch error {
        case .InvalidPassword(let message, let cause): self = .unwanted(message: message, cause: cause)
        }
    }

    /// What was wrong, in one sentence for the user.
    var text: String {
        switch self {
        case .wrong: "The entry was wrong."
        case .unchanged: "The new one is the old one."
        case .malformedPin(let digits):
            digits.count == 1
                ? "The PIN must have \(digits.lowerBound) digits."
                : "The PIN must have \(digits.lowerBound) to \(digits.upperBound) digits."
        case .guessablePin: "The PIN is too easy to guess."
        case .unusablePassword: "The password is empty, too long, or has control characters."
        case .unwanted(let message, _): message
        }
    }

    /// What a policy gave as the cause.
    var cause: (any Error)? {
        if case .unwanted(_, let cause) = self { cause } else { nil }
    }
}

extension PinEnrollmentError {
    init(_ flaw: SecretFlaw) {
        self =
            switch flaw {
            case .malformedPin: .InvalidPinFormat(description: flaw.text, cause: nil)
            default: .CustomValidationError(message: flaw.text, cause: flaw.cause)
            }
    }
}

extension PinChangeRecoverableError {
    init(_ flaw: SecretFlaw) {
        self =
            switch flaw {
            case .wrong: .InvalidPin(description: flaw.text, cause: nil)
            case .unchanged: .OldPinEqualsNewPin(description: flaw.text, cause: nil)
            case .malformedPin: .InvalidPinFormat(description: flaw.text, cause: nil)
            default: .CustomValidationError(message: flaw.text, cause: flaw.cause)
            }
    }
}

extension PasswordEnrollmentError {
    init(_ flaw: SecretFlaw) { self = .CustomValidationError(message: flaw.text, cause: flaw.cause) }
}

extension PasswordChangeRecoverableError {
    init(_ flaw: SecretFlaw) {
        self =
            switch flaw {
            case .wrong: .InvalidPassword(description: flaw.text, cause: nil)
            case .unchanged: .OldPasswordEqualsNewPassword(description: flaw.text, cause: nil)
            default: .CustomValidationError(message: flaw.text, cause: flaw.cause)
            }
    }
}
