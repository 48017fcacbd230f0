/// Makes password enrollers from closures.
public enum PasswordEnrollment {
    /// An enroller that answers with the password that a closure gives.
    ///
    /// The closure may be called again, as the protocol says; to throw means to cancel. Without a policy a password needs
    /// eight characters and must not be a common one.
    public static func async(
        policy: (any PasswordPolicy)? = nil,
        _ answer: @escaping @MainActor (any PasswordEnrollmentContext) async throws -> SecretBytes
    ) -> any PasswordEnroller {
        ClosurePasswordEnroller(policy, answer)
    }
}

/// Answers with what a closure gives.
private final class ClosurePasswordEnroller: PasswordEnroller {
    private let policy: MainActorBox<(any PasswordPolicy)?>
    private let answer: @MainActor (any PasswordEnrollmentContext) async throws -> SecretBytes

    nonisolated init(
        _ policy: (any PasswordPolicy)?,
        _ answer: @escaping @MainActor (any PasswordEnrollmentContext) async throws -> SecretBytes
    ) {
        self.policy = MainActorBox(policy)
        self.answer = answer
    }

    func passwordPolicy() -> any PasswordPolicy { policy.content ?? DefaultPasswordPolicy() }

    func enrollPassword(context: any PasswordEnrollmentContext, handler: any PasswordEnrollmentHandler) {
        let answer = answer
        Task {
            do {
                handler.password(try await answer(context))
            } catch {
                handler.cancel()
            }
        }
    }
}
