/// What came of a new PIN.
package enum PinJudgement: Sendable {
    /// It may be enrolled.
    case accepted(SecretBytes)
    /// The user has to think of another one.
    case refused(PinEnrollmentError)
}
