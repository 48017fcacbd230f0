/// Makes PIN changers from closures.
public enum PinReplacement {
    /// A changer that answers with the old and the new PIN that a closure gives.
    ///
    /// The closure may be called again, as the protocol says; to throw means to cancel. Without a policy, what the SDK itself accepts is
    /// accepted.
    public static func async(
        policy: (any PinPolicy)? = nil,
        _ answer: @escaping @MainActor (any PinChangeContext) async throws -> (old: SecretBytes, new: SecretBytes)
    ) -> any PinChanger {
        ClosurePinChanger(policy, answer)
    }
}

/// Answers with what a closure gives.
private final class ClosurePinChanger: PinChanger {
    private let policy: MainActorBox<(any PinPolicy)?>
    private let answer: @MainActor (any PinChangeContext) async throws -> (old: SecretBytes, new: SecretBytes)

    nonisolated init(
        _ policy: (any PinPolicy)?,
        _ answer: @escaping @MainActor (any PinChangeContext) async throws -> (old: SecretBytes, new: SecretBytes)
    ) {
        self.policy = MainActorBox(policy)
        self.answer = answer
    }

    func pinPolicy() -> any PinPolicy { policy.content ?? DefaultPinPolicy() }

    func changePin(context: any PinChangeContext, handler: any PinChangeHandler) {
        let answer = answer
        Task {
            do {
                let secrets = try await answer(context)
                handler.pins(secrets.old, secrets.new)
            } catch {
                handler.cancel()
            }
        }
    }
}
