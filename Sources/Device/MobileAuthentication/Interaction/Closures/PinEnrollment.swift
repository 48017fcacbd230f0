/// Makes PIN enrollers from closures.
public enum PinEnrollment {
    /// An enroller that answers with the PIN that a closure gives.
    ///
    /// The closure may be called again, as the protocol says; to throw means to cancel. Without a policy, what the SDK itself accepts is
    /// accepted.
    public static func async(
        policy: (any PinPolicy)? = nil,
        _ answer: @escaping @MainActor (any PinEnrollmentContext) async throws -> SecretBytes
    ) -> any PinEnroller {
        ClosurePinEnroller(policy, answer)
    }
}

/// Answers with what a closure gives.
private final class ClosurePinEnroller: PinEnroller {
    private let policy: MainActorBox<(any PinPolicy)?>
    private let answer: @MainActor (any PinEnrollmentContext) async throws -> SecretBytes

    nonisolated init(
        _ policy: (any PinPolicy)?,
        _ answer: @escaping @MainActor (any PinEnrollmentContext) async throws -> SecretBytes
    ) {
        self.policy = MainActorBox(policy)
        self.answer = answer
    }

    func pinPolicy() -> any PinPolicy { policy.content ?? DefaultPinPolicy() }

    func enrollPin(context: any PinEnrollmentContext, handler: any PinEnrollmentHandler) {
        let answer = answer
        Task {
            do {
                handler.pin(try await answer(context))
            } catch {
                handler.cancel()
            }
        }
    }
}
