/// Makes password changers from closures.
public enum PasswordReplacement {
    /// A changer that answers with the old and the new password that a closure gives.
    ///
    /// The closure may be called again, as the protocol says; to throw means to cancel. Without a policy a password needs
    /// eight characters and must not be a common one.
    public static func async(
        policy: (any PasswordPolicy)? = nil,
        _ answer: @escaping @MainActor (any PasswordChangeContext) async throws -> (old: SecretBytes, new: SecretBytes)
    ) -> any PasswordChanger {
        ClosurePasswordChanger(policy, answer)
    }
}

/// Answers with what a closure gives.
private final class ClosurePasswordChanger: PasswordChanger {
    private let policy: MainActorBox<(any PasswordPolicy)?>
    private let answer: @MainActor (any PasswordChangeContext) async throws -> (old: SecretBytes, new: SecretBytes)

    nonisolated init(
        _ policy: (any PasswordPolicy)?,
        _ answer: @escaping @MainActor (any PasswordChangeContext) async throws -> (old: SecretBytes, new: SecretBytes)
    ) {
        self.policy = MainActorBox(policy)
        self.answer = answer
    }

    func passwordPolicy() -> any PasswordPolicy { policy.content ?? DefaultPasswordPolicy() }

    func changePassword(context: any PasswordChangeContext, handler: any PasswordChangeHandler) {
        let answer = answer
        Task {
            do {
                let secrets = try await answer(context)
                handler.passwords(secrets.old, secrets.new)
            } catch {
                handler.cancel()
            }
        }
    }
}
