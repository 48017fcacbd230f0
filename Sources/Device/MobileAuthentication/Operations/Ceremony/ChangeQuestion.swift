package import UAF

/// Asks for the old and the new secret.
package struct ChangeQuestion: Sendable {
    package let kind: SecretKind
    package let username: UserName
    package let protection: ProtectionReport
    /// What was wrong with the last answer.
    package let flaw: SecretFlaw?
    package let limit: QuestionLimit
}
