import Authenticators

/// Secrets that the SDK itself checks.
package enum SecretKind: Hashable, Sendable {
    case pin
    case password

    var authenticatorKind: AuthenticatorKind {
        switch self {
        case .pin: .pin
        case .password: .password
        }
    }
}

extension AuthenticatorKind {
    /// The secret of this kind of authenticator; nil where the operating system verifies the user.
    var secretKind: SecretKind? {
        switch self {
        case .pin: .pin
        case .password: .password
        case .fingerprint, .faceRecognition, .devicePasscode: nil
        }
    }
}

/// Secrets that a user entered to replace one by the other.
package struct SecretPair<Secret: Sendable>: Sendable {
    package let old: Secret
    package let new: Secret

    package init(old: Secret, new: Secret) {
        self.old = old
        self.new = new
    }
}

/// Flaw of an answer with secrets; the user is asked again.
package enum SecretFlaw: Sendable {
    /// The old secret was wrong.
    case wrong
    /// The new secret is the old one.
    case unchanged
    /// A PIN has something other than digits, or not the right number of them.
    case malformedPin(digits: ClosedRange<Int>)
    /// A PIN is one that many people choose.
    case guessablePin
    /// A password is empty, too long, or has control characters.
    case unusablePassword
    /// The policy of the application refuses it.
    case unwanted(message: String, cause: (any Error)?)
}

/// Result of judging a new secret.
package enum SecretValidation<Secret: Sendable>: Sendable {
    case accepted(Secret)
    case refused(SecretFlaw)
}
