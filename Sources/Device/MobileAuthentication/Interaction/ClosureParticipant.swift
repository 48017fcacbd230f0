/// Participant of an operation that answers each question with what a closure gives.
///
/// The context that the closure takes says in which interaction; the conformances stand beside the protocols.
final class ClosureParticipant<Context: Sendable, Policy, Value: Sendable>: ValidCredentialsObserver {
    /// Requirements for a new secret; nothing where no new one is asked for.
    let policy: MainActorBox<Policy>
    private let answer: @MainActor (Context) async throws -> Value

    nonisolated init(_ policy: Policy, _ answer: @escaping @MainActor (Context) async throws -> Value) {
        self.policy = MainActorBox(policy)
        self.answer = answer
    }

    /// Asks the closure and hands its answer on; to throw means to cancel.
    ///
    /// The closure's task is canceled when the question is over.
    func respond(
        to context: Context, by handler: any InteractionHandler, _ give: @escaping @MainActor (Value) -> Void
    ) {
        let answer = answer
        let task = Task {
            do {
                give(try await answer(context))
            } catch {
                handler.cancel()
            }
        }
        handler.onEnd { task.cancel() }
    }
}

extension ClosureParticipant where Policy == Void {
    nonisolated convenience init(_ answer: @escaping @MainActor (Context) async throws -> Value) {
        self.init((), answer)
    }
}

extension ClosureParticipant: PinPolicyProvider where Policy == (any PinPolicy)? {
    func pinPolicy() -> any PinPolicy { policy.content ?? DefaultPinPolicy() }
}

extension ClosureParticipant: PasswordPolicyProvider where Policy == (any PasswordPolicy)? {
    func passwordPolicy() -> any PasswordPolicy { policy.content ?? DefaultPasswordPolicy() }
}
