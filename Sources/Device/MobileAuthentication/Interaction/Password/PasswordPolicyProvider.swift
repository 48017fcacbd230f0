/// Knows what an application asks of a new password.
@preconcurrency @MainActor
public protocol PasswordPolicyProvider {
    /// The policy; it is asked for before each judgement.
    func passwordPolicy() -> any PasswordPolicy
}
