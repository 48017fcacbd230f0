/// Makes verifiers for a finger or a face from closures.
public enum BiometricUserVerification {
    /// A verifier that goes on when a closure returns; nil stands for the usual texts of the system.
    ///
    /// The closure may be called again, as the protocol says; to throw means to cancel.
    public static func async(
        _ answer: @escaping @MainActor (any BiometricUserVerificationContext) async throws -> BiometricPromptOptions?
    ) -> any BiometricUserVerifier {
        ClosureBiometricUserVerifier(answer)
    }
}

/// Answers with what a closure gives.
private final class ClosureBiometricUserVerifier: BiometricUserVerifier {
    private let answer: @MainActor (any BiometricUserVerificationContext) async throws -> BiometricPromptOptions?

    nonisolated init(
        _ answer: @escaping @MainActor (any BiometricUserVerificationContext) async throws -> BiometricPromptOptions?
    ) {
        self.answer = answer
    }

    func verifyBiometric(context: any BiometricUserVerificationContext, handler: any BiometricUserVerificationHandler) {
        let answer = answer
        Task {
            do {
                if let options = try await answer(context) { handler.verify(using: options) } else { handler.verify() }
            } catch {
                handler.cancel()
            }
        }
    }
}
