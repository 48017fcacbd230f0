/// Makes verifiers for the passcode from closures.
public enum DevicePasscodeUserVerification {
    /// A verifier that goes on when a closure returns; nil stands for the usual texts of the system.
    ///
    /// The closure may be called again, as the protocol says; to throw means to cancel.
    public static func async(
        _ answer:
            @escaping @MainActor (any DevicePasscodeUserVerificationContext) async throws ->
            DevicePasscodePromptOptions?
    ) -> any DevicePasscodeUserVerifier {
        ClosureDevicePasscodeUserVerifier(answer)
    }
}

/// Answers with what a closure gives.
private final class ClosureDevicePasscodeUserVerifier: DevicePasscodeUserVerifier {
    private let answer:
        @MainActor (any DevicePasscodeUserVerificationContext) async throws -> DevicePasscodePromptOptions?

    nonisolated init(
        _ answer:
            @escaping @MainActor (any DevicePasscodeUserVerificationContext) async throws ->
            DevicePasscodePromptOptions?
    ) {
        self.answer = answer
    }

    func verifyDevicePasscode(
        context: any DevicePasscodeUserVerificationContext, handler: any DevicePasscodeUserVerificationHandler
    ) {
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
