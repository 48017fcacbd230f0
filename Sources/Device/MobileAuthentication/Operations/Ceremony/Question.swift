package import UAF

/// How long a question to the user may stand.
package struct QuestionLimit: Hashable, Sendable {
    /// When the server stops waiting, on the monotonic clock; nil when the server has not said.
    package let expiry: Duration?
    /// What a cool-down adds to the time for the answer.
    package let coolDown: Duration

    package init(expiry: Duration?, coolDown: Duration = .zero) {
        self.expiry = expiry
        self.coolDown = coolDown
    }
}

/// Asks which account it shall be.
package struct AccountQuestion: Hashable, Sendable {
    /// An account with the authenticators that the policy of the server accepts for it.
    package struct Candidate: Hashable, Sendable {
        package let username: UserName
        package let accepted: [AAID]
    }

    /// What is shown.
    package let shown: [AAID]
    package let candidates: [Candidate]
    /// The text of a transaction.
    package let transactionText: [UInt8]?
    package let limit: QuestionLimit
}

/// Asks which authenticator it shall be.
package struct SelectionQuestion: Hashable, Sendable {
    /// Who registers or authenticates, and where.
    package let username: UserName
    package let server: ServerAddress
    /// What is shown.
    package let shown: [AAID]
    /// What the policy of the server accepts.
    package let accepted: [AAID]
    /// The text of a transaction.
    package let transactionText: [UInt8]?
    package let limit: QuestionLimit
}

/// Asks for the digits of the screen where an operation was begun.
package struct LinkingQuestion: Hashable, Sendable {
    package let username: UserName
    /// How many digits there are.
    package let digitCount: Int
    /// The digits for comparison; nil where the user types what he reads.
    package let shownDigits: String?
    /// The text of a transaction.
    package let transactionText: [UInt8]?
    /// Whether the last answer was not so many digits.
    package let wasMalformed: Bool
    package let limit: QuestionLimit
}

/// Asks which secret it shall be from now on.
package struct EnrollmentQuestion: Sendable {
    package let kind: SecretKind
    package let username: UserName
    /// What was wrong with the last one.
    package let flaw: SecretFlaw?
    package let limit: QuestionLimit
}

/// Asks for a secret.
package struct VerificationQuestion: Sendable {
    package let kind: SecretKind
    package let credential: CredentialID
    package let protection: ProtectionReport
    package let limit: QuestionLimit
}

/// Asks for the old and the new secret.
package struct ChangeQuestion: Sendable {
    package let kind: SecretKind
    package let username: UserName
    package let protection: ProtectionReport
    /// What was wrong with the last answer.
    package let flaw: SecretFlaw?
    package let limit: QuestionLimit
}

/// Asks whether the user is ready to show that he is there.
package struct PresenceQuestion: Sendable {
    package let aaid: AAID
    package let kind: AuthenticatorAaid
    /// Whether the last finger, face or passcode was not the right one.
    package let wasMismatch: Bool
    package let limit: QuestionLimit
}
