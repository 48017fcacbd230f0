import UAFClient

extension SecretFlaw {
    init(_ error: PinEnrollmentValidationError) {
        switch error {
        case .InvalidPin(let message, let cause): self = .unwanted(message: message, cause: cause)
        }
    }

    init(_ error: PinChangeValidationError) {
        switch error {
        case .InvalidPin(let message, let cause): self = .unwanted(message: message, cause: cause)
        }
    }

    init(_ error: PasswordEnrollmentValidationError) {
        switch error {
        case .InvalidPassword(let message, let cause): self = .unwanted(message: message, cause: cause)
        }
    }

    init(_ error: PasswordChangeValidationError) {
        switch error {
        case .InvalidPassword(let message, let cause): self = .unwanted(message: message, cause: cause)
        }
    }

    func text(_ kind: SecretKind) -> String {
        switch self {
        case .wrong: (kind == .pin ? SDKText.wrongPin : .wrongPassword).localized
        case .unchanged: (kind == .pin ? SDKText.samePin : .samePassword).localized
        case .malformedPin(let digits):
            (digits.count == 1
                ? SDKText.pinDigits(digits.lowerBound) : .pinDigitRange(digits.lowerBound, digits.upperBound)).localized
        case .guessablePin: SDKText.guessablePin.localized
        case .unusablePassword: SDKText.unusablePassword.localized
        case .unwanted(let message, _): message
        }
    }

    var cause: (any Error)? {
        if case .unwanted(_, let cause) = self { cause } else { nil }
    }
}

extension PinEnrollmentError {
    init(_ flaw: SecretFlaw) {
        self =
            switch flaw {
            case .malformedPin: .InvalidPinFormat(description: flaw.text(.pin), cause: nil)
            default: .CustomValidationError(message: flaw.text(.pin), cause: flaw.cause)
            }
    }
}

extension PinChangeRecoverableError {
    init(_ flaw: SecretFlaw) {
        self =
            switch flaw {
            case .wrong: .InvalidPin(description: flaw.text(.pin), cause: nil)
            case .unchanged: .OldPinEqualsNewPin(description: flaw.text(.pin), cause: nil)
            case .malformedPin: .InvalidPinFormat(description: flaw.text(.pin), cause: nil)
            default: .CustomValidationError(message: flaw.text(.pin), cause: flaw.cause)
            }
    }
}

extension PasswordEnrollmentError {
    init(_ flaw: SecretFlaw) { self = .CustomValidationError(message: flaw.text(.password), cause: flaw.cause) }
}

extension PasswordChangeRecoverableError {
    init(_ flaw: SecretFlaw) {
        self =
            switch flaw {
            case .wrong: .InvalidPassword(description: flaw.text(.password), cause: nil)
            case .unchanged: .OldPasswordEqualsNewPassword(description: flaw.text(.password), cause: nil)
            default: .CustomValidationError(message: flaw.text(.password), cause: flaw.cause)
            }
    }
}
