import UAF
import UAFClient

/// Parameters of a change of a secret, as the application has set them.
struct SecretChangeRequest: ParticipantDraft {
    let kind: SecretKind
    var username: String?
    var participants = Participants()

    init(_ kind: SecretKind) { self.kind = kind }

    func run(in environment: ClientEnvironment) async throws(SecretChangeFailure) {
        var parameters = SecretChangeMachine<SDKValues>.Parameters(kind)
        parameters.username = username
        parameters.hasChanger =
            switch kind {
            case .pin: participants.pinChanger != nil
            case .password: participants.passwordChanger != nil
            }
        let performer = SecretChangePerformer(
            store: environment.store, keys: environment.keys, kind: kind,
            conversation: Conversation(environment: environment, participants: participants))
        try await OperationRunner.run(
            SecretChangeMachine<SDKValues>(parameters), performing: performer.perform)
    }
}

/// Performer of the effects of the machine of a secret change.
struct SecretChangePerformer: Sendable {
    typealias Event = SecretChangeMachine<SDKValues>.Event

    let store: any AuthenticatorStore
    let keys: any AuthenticatorKeys
    let kind: SecretKind
    let conversation: Conversation

    func perform(_ effect: SecretChangeMachine<SDKValues>.Effect) async throws(CeremonyFailure) -> Event {
        switch effect {
        case .loadDevice:
            try await store.requireDeviceLock()
            return .device(try await store.snapshot())
        case .readProtection(let credential): return .protection(try await keys.protection(of: credential))
        case .ask(let question): return .answer(try await conversation.replacement(question))
        case .unlock(let credential, let secrets):
            return .unlocked(try await keys.unlock(credential, with: secrets.old), new: secrets.new)
        case .compare(let replacement):
            return .compared(replacement, isSame: try await replacement.opened.isSame(as: replacement.new))
        case .judge(let replacement, let limit):
            return .judged(
                try await conversation.flaw(of: replacement.new, kind, for: .change, limit), replacement)
        case .replace(let replacement): try await replacement.opened.replace(with: replacement.new)
        case .markUnusable(let credential): try await store.markUnusable(credential)
        }
        return .done
    }
}
