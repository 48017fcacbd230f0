package import UAF

/// Asks which PIN it shall be from now on.
package struct EnrollmentQuestion: Sendable {
    package let username: UserName
    /// What was wrong with the last one.
    package let refusal: PinEnrollmentError?
    package let limit: QuestionLimit
}
