package import UAF

/// Asks for a secret.
package struct VerificationQuestion: Sendable {
    package let kind: SecretKind
    package let credential: CredentialID
    package let protection: ProtectionReport
    package let limit: QuestionLimit
}
