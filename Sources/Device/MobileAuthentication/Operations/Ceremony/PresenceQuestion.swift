package import UAF

/// Asks whether the user is ready to show that he is there.
package struct PresenceQuestion: Sendable {
    package let aaid: AAID
    package let kind: AuthenticatorAaid
    /// Whether the last finger, face or passcode was not the right one.
    package let wasMismatch: Bool
    package let limit: QuestionLimit
}
