package import Authenticators
package import Octets
package import UAF

/// Time limit of a question to the user.
package struct QuestionLimit: Hashable, Sendable {
    /// Expiry of the request on the monotonic clock; nil when the server has not said.
    package let expiry: Duration?
    /// Cool-down, which is added to the time for the answer.
    package let coolDown: Duration

    package init(expiry: Duration?, coolDown: Duration = .zero) {
        self.expiry = expiry
        self.coolDown = coolDown
    }
}

/// Question for the account to use.
package struct AccountQuestion: Hashable, Sendable {
    /// An account with the authenticators that the policy of the server accepts for it.
    package struct Candidate: Hashable, Sendable {
        package let username: UserName
        package let accepted: [AAID]
    }

    package let shown: [AAID]
    package let candidates: [Candidate]
    package let transactionText: [UInt8]?
    package let limit: QuestionLimit
}

/// Question for the authenticator to use.
package struct SelectionQuestion: Hashable, Sendable {
    package let username: UserName
    package let server: ServerAddress
    package let shown: [AAID]
    /// Authenticators that the policy of the server accepts.
    package let accepted: [AAID]
    package let transactionText: [UInt8]?
    package let limit: QuestionLimit
}

/// Question for the digits of the screen where an operation was begun.
package struct LinkingQuestion: Hashable, Sendable {
    package let username: UserName
    package let digitCount: Int
    /// Digits to compare; nil where the user types what they read.
    package let shownDigits: Sensitive<String>?
    package let transactionText: [UInt8]?
    /// Whether the last answer did not have that number of digits.
    package let wasMalformed: Bool
    package let limit: QuestionLimit
}

/// Question for a new secret.
package struct EnrollmentQuestion: Sendable {
    package let kind: SecretKind
    package let username: UserName
    package let flaw: SecretFlaw?
    package let limit: QuestionLimit
}

/// Question for a secret.
package struct VerificationQuestion: Sendable {
    package let kind: SecretKind
    package let credential: CredentialID
    package let protection: ProtectionReport
    package let limit: QuestionLimit
}

/// Question for the old and the new secret.
package struct ChangeQuestion: Sendable {
    package let kind: SecretKind
    package let username: UserName
    package let protection: ProtectionReport
    package let flaw: SecretFlaw?
    package let limit: QuestionLimit
}

/// Question whether the user is ready to be verified by the operating system.
package struct PresenceQuestion: Sendable {
    package let aaid: AAID
    package let authenticator: AuthenticatorKind
    package let wasMismatch: Bool
    package let limit: QuestionLimit
}

/// Question whether a server may remove registrations of this device.
package struct DeregistrationConfirmationQuestion: Hashable, Sendable {
    /// Server that redeems the token.
    package let server: ServerAddress
    /// The user for whose record of this device the message was sealed.
    package let addressee: UserName?
    /// Users whose keys could be removed.
    package let usernames: [UserName]
    package let limit: QuestionLimit
}
