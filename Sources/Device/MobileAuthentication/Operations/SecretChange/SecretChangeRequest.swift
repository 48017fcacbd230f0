/// What an application has said about a change of a secret.
struct SecretChangeRequest: Sendable {
    let kind: SecretKind
    var username: String?
    var participants = Participants()

    init(_ kind: SecretKind) { self.kind = kind }

    /// Runs the change to its end.
    func run(in environment: ClientEnvironment) async throws(SecretChangeMachine.Failure) {
        var order = SecretChangeMachine.Order(kind)
        order.username = username
        order.hasChanger =
            switch kind {
            case .pin: participants.pinChanger != nil
            case .password: participants.passwordChanger != nil
            }
        let performer = SecretChangePerformer(
            store: environment.store, kind: kind,
            conversation: Conversation(environment: environment, participants: participants))
        try await OperationRunner.run(SecretChangeMachine(order)) { await performer.perform($0) }
    }
}
