/// Makes PIN verifiers from closures.
public enum PinUserVerification {
    /// A verifier that answers with the PIN that a closure gives.
    ///
    /// The closure may be called again, as the protocol says; to throw means to cancel.
    public static func async(
        _ answer: @escaping @MainActor (any PinUserVerificationContext) async throws -> SecretBytes
    ) -> any PinUserVerifier {
        ClosurePinUserVerifier(answer)
    }
}

/// Answers with what a closure gives.
private final class ClosurePinUserVerifier: PinUserVerifier {
    private let answer: @MainActor (any PinUserVerificationContext) async throws -> SecretBytes

    nonisolated init(_ answer: @escaping @MainActor (any PinUserVerificationContext) async throws -> SecretBytes) {
        self.answer = answer
    }

    func verifyPin(context: any PinUserVerificationContext, handler: any PinUserVerificationHandler) {
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
