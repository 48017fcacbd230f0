import Authenticators
import BackendAPI
import UAF
import UAFClient

/// Performer of the effects of the registration machine.
struct RegistrationPerformer: Sendable {
    typealias Event = RegistrationMachine<SDKValues>.Event

    private let draft: RegistrationDraft
    private let environment: ClientEnvironment
    private let exchange: BackendExchange

    private init(_ draft: RegistrationDraft, _ environment: ClientEnvironment, _ exchange: BackendExchange) {
        self.draft = draft
        self.environment = environment
        self.exchange = exchange
    }

    static func attempt(
        _ draft: RegistrationDraft, _ environment: ClientEnvironment
    ) async -> Result<Void, OperationError> {
        await environment.attempt(orThrow: OperationError.init) { () async throws(CeremonyFailure) in
            try await run(draft, environment)
        }
    }

    static func run(
        _ draft: RegistrationDraft, _ environment: ClientEnvironment
    ) async throws(CeremonyFailure) {
        let exchange = BackendExchange(
            environment, headers: draft.headers, credentials: try SessionCredentials(draft.authorization))
        let performer = RegistrationPerformer(draft, environment, exchange)
        var parameters = parameters(of: draft, environment)
        if parameters.received == nil { parameters.exchange = exchange.id }
        try await OperationRunner.run(
            RegistrationMachine<SDKValues>(parameters), performing: performer.perform)
    }

    private static func parameters(
        of draft: RegistrationDraft, _ environment: ClientEnvironment
    ) -> RegistrationMachine<SDKValues>.Parameters {
        var parameters = draft.parameters
        parameters.hasSelector = draft.participants.authenticatorSelector != nil
        parameters.enrollable = draft.participants.enrollable(with: environment.traits).map(AuthenticatorKind.init)
        parameters.refusesContradictions = environment.traits.refusesContradictions
        environment.warn(about: parameters.choices)
        return parameters
    }

    func perform(_ effect: RegistrationMachine<SDKValues>.Effect) async throws(CeremonyFailure) -> Event {
        let store = environment.store
        switch effect {
        case .loadDevice:
            try await store.requireDeviceLock()
            return .device(try await store.snapshot())
        case .fetchRequest(let username, let isBound): return .request(await fetch(username, isBound: isBound))
        case .checkFacet(let header):
            return .facet(
                await environment.facets.verdict(on: header).over(draft.channelBinding ?? exchange.channelBinding))
        case .selectAuthenticator(let question): return .choice(try await conversation.choice(question))
        case .enroll(let question): return .secret(try await conversation.newSecret(question))
        case .judge(let kind, let secret, let limit): return .judged(try await judge(secret, kind, limit))
        case .confirmPresence(let question): return .presence(try await conversation.presence(question))
        case .createKey(let parameters, let consent, let limit):
            return .creation(try await createKey(parameters, consent, limit))
        case .sendResponse(let response, let username):
            // An operation that the server began has a separate authorization, so the notice may be sent first.
            if draft.parameters.received != nil { await notice.deliver(of: username, to: draft.parameters.server) }
            let target = try await DispatchTargetOffer(environment, resource).proposal(
                for: response, of: username, draft.parameters.deviceInformation)
            return .verdict(
                await exchange.send(OperationResponse.registration(response), to: resource, target: target))
        case .confirm(let credential, let target):
            try await store.confirm(credential, target: target)
            await store.destroyForgottenKeys()
            await tellOfDeletion(credential)
        case .introduce(let username, let issued):
            let introduction = DeviceIntroduction(environment, at: draft.parameters.server)
            await introduction.carryOut(for: username, try exchange(with: issued))
        case .discard(let credential):
            try await store.remove([credential])
            await store.destroyForgottenKeys()
        case .report(let response, let failure):
            await exchange.report(OperationResponse.registration(response), failure, to: resource)
        }
        return .done
    }

    /// The exchange with what the server has issued, or the operation's when it has issued nothing.
    private func exchange(with issued: (any AuthorizationProvider)?) throws(CeremonyFailure) -> BackendExchange {
        guard let issued else { return exchange }
        return BackendExchange(environment, headers: draft.headers, credentials: try SessionCredentials(issued))
    }

    private var resource: BackendResource {
        BackendResource(server: draft.parameters.server, path: environment.configuration.registrationResponsePath)
    }

    private var conversation: Conversation {
        Conversation(environment: environment, participants: draft.participants)
    }

    private func fetch(_ username: UserName, isBound: Bool) async -> RequestAnswer<RegistrationRequest> {
        let resource = BackendResource(
            server: draft.parameters.server, path: environment.configuration.registrationRequestPath)
        let context = RegistrationContext(username: username)
        let answer: RequestAnswer<RegistrationRequest> = await exchange.fetch(
            context, from: resource, isBound: isBound)
        // The server may only be counting a key that was deleted here: it is told, and asked once more.
        guard answer.isUnauthorized, await notice.deliver(of: username, to: draft.parameters.server) else {
            return answer
        }
        return await exchange.fetch(context, from: resource, isBound: isBound)
    }

    private var notice: DepartureNotice { DepartureNotice(environment, headers: draft.headers) }

    /// An authentication with a key that was deleted here may have allowed the registration, so the server is told of
    /// the deletion afterwards.
    private func tellOfDeletion(_ credential: CredentialID) async {
        let server = draft.parameters.server
        let keys = try? await environment.store.snapshot().scope(at: server).keys
        guard let username = keys?.first(where: { $0.id == credential })?.username else { return }
        await notice.deliver(of: username, to: server)
    }

    private func judge(
        _ secret: SecretBytes, _ kind: SecretKind, _ limit: QuestionLimit
    ) async throws(CeremonyFailure) -> SecretValidation<SecretBytes> {
        let flaw = try await conversation.flaw(of: secret, kind, for: .enrollment, limit)
        if let flaw { return .refused(flaw) }
        return .accepted(secret)
    }

    private func createKey(
        _ parameters: KeyParameters, _ consent: UserConsent, _ limit: QuestionLimit
    ) async throws(CeremonyFailure) -> CreationOutcome {
        let keys = environment.keys
        // The certificate of the chip goes only to a server that demands it.
        let attester =
            parameters.demandsAttestation
            ? try await AttestationExchange(environment, exchange, with: draft.parameters.server).provedAttester() : nil
        guard case .presence(let request) = consent else {
            return try await keys.createKey(parameters, consent, attestedBy: attester)
        }
        let outcome = try await conversation.attend(request, limit) { () async throws(CeremonyFailure) in
            try await keys.createKey(parameters, consent, attestedBy: attester)
        }
        if case .made = outcome, let kind = AuthenticatorAaid(rawValue: parameters.aaid.text) {
            await conversation.notifySuccess(kind, during: .verification)
        }
        return outcome
    }
}

/// Notice to a server that an account was deleted on this device, and that its keys are gone.
struct DepartureNotice: Sendable {
    private let exchange: DeviceExchange

    init(_ environment: ClientEnvironment, headers: [String: String]) {
        exchange = DeviceExchange(environment, headers: headers)
    }

    /// Notifies the server, if there is a deletion to report; returns whether the server has removed something.
    ///
    /// A notice that cannot be delivered now is kept for the next time.
    @discardableResult
    func deliver(of username: UserName, to server: ServerAddress) async -> Bool {
        let device = try? await exchange.environment.store.snapshot()
        guard let departure = device?.departure(of: username, at: server) else { return false }
        let removal = DeviceRemoval(
            credentials: departure.credentials.map {
                DeviceChange.Removal(username: username, aaid: $0.aaid, keyID: $0.keyID)
            }, targetIDs: [departure.target.identifier])
        switch await exchange.remove(removal, from: departure.deviceID, departure.target) {
        case .done: return true
        case .refused: return false
        }
    }
}
