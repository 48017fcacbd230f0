/// What came of a new secret.
package enum SecretJudgement: Sendable {
    /// It may be used.
    case accepted(SecretBytes)
    /// The user has to think of another one.
    case refused(SecretFlaw)
}
