/// Makes verifiers for fingers from closures.
public enum FingerprintUserVerification {
    /// A verifier that reads the sensor when a closure returns.
    ///
    /// The closure may be called again, as the protocol says; to throw means to cancel.
    public static func async(
        _ answer: @escaping @MainActor (any FingerprintUserVerificationContext) async throws -> Void
    ) -> any FingerprintUserVerifier {
        ClosureFingerprintUserVerifier(answer)
    }
}

/// Answers with what a closure gives.
private final class ClosureFingerprintUserVerifier: FingerprintUserVerifier {
    private let answer: @MainActor (any FingerprintUserVerificationContext) async throws -> Void

    nonisolated init(_ answer: @escaping @MainActor (any FingerprintUserVerificationContext) async throws -> Void) {
        self.answer = answer
    }

    func verifyFingerprint(
        context: any FingerprintUserVerificationContext, handler: any FingerprintUserVerificationHandler
    ) {
        let answer = answer
        Task {
            do {
                try await answer(context)
                handler.listenForOsCredentials()
            } catch {
                handler.cancel()
            }
        }
    }
}
