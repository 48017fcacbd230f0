package import UAF

/// Asks for the PIN.
package struct VerificationQuestion: Sendable {
    package let credential: CredentialID
    package let status: PinAuthenticatorProtectionStatus
    package let limit: QuestionLimit
}
