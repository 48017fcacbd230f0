package import UAF

/// Asks which secret it shall be from now on.
package struct EnrollmentQuestion: Sendable {
    package let kind: SecretKind
    package let username: UserName
    /// What was wrong with the last one.
    package let flaw: SecretFlaw?
    package let limit: QuestionLimit
}
