/// Makes password verifiers from closures.
public enum PasswordUserVerification {
    /// A verifier that answers with the password that a closure gives.
    ///
    /// The closure may be called again, as the protocol says; to throw means to cancel.
    public static func async(
        _ answer: @escaping @MainActor (any PasswordUserVerificationContext) async throws -> SecretBytes
    ) -> any PasswordUserVerifier {
        ClosurePasswordUserVerifier(answer)
    }
}

/// Answers with what a closure gives.
private final class ClosurePasswordUserVerifier: PasswordUserVerifier {
    private let answer: @MainActor (any PasswordUserVerificationContext) async throws -> SecretBytes

    nonisolated init(_ answer: @escaping @MainActor (any PasswordUserVerificationContext) async throws -> SecretBytes) {
        self.answer = answer
    }

    func verifyPassword(context: any PasswordUserVerificationContext, handler: any PasswordUserVerificationHandler) {
        let answer = answer
        Task {
            do {
                handler.verify(try await answer(context))
            } catch {
                handler.cancel()
            }
        }
    }
}
