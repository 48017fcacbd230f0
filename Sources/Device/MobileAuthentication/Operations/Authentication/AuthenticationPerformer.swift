import BackendAPI
import UAF

/// Does what the authentication machine asks for.
struct AuthenticationPerformer: Sendable {
    private typealias Event = AuthenticationMachine.Event

    private let draft: AuthenticationOperation.Draft
    private let environment: ClientEnvironment
    private let exchange: BackendExchange

    init(
        _ draft: AuthenticationOperation.Draft, _ environment: ClientEnvironment, _ exchange: BackendExchange
    ) {
        self.draft = draft
        self.environment = environment
        self.exchange = exchange
    }

    /// Carries out one effect.
    func perform(_ effect: AuthenticationMachine.Effect) async -> AuthenticationMachine.Event {
        do throws(CeremonyFailure) {
            return try await event(of: effect)
        } catch {
            return .failed(error)
        }
    }

    private func event(of effect: AuthenticationMachine.Effect) async throws(CeremonyFailure) -> Event {
        let store = environment.store
        switch effect {
        case .loadDevice:
            try await store.requireDeviceLock()
            return .device(try await store.snapshot())
        case .fetchRequest(let username, let server): return .request(await fetch(username, server))
        case .checkFacet(let header): return .facet(await environment.facets.verdict(on: header))
        case .promote(let credentials):
            try await store.promote(credentials)
            await store.destroyForgottenKeys()
        case .selectAccount(let question): return .choice(try await conversation.choice(question))
        case .selectAuthenticator(let question): return .choice(try await conversation.choice(question))
        case .readProtection(let credential): return .protection(try await store.protection(of: credential))
        case .verify(let question): return .secret(try await conversation.secret(question))
        case .confirmPresence(let question): return .presence(try await conversation.presence(question))
        case .sign(let order, let consent, let limit): return .signature(try await sign(order, consent, limit))
        case .sendResponse(let response, let server):
            return .verdict(await exchange.send(OperationResponse.authentication(response), to: resource(server)))
        case .wait(let delay): try await sleep(delay)
        case .markUnusable(let credential): try await store.markUnusable(credential)
        case .report(let response, let server, let code):
            await exchange.report(OperationResponse.authentication(response), code, to: resource(server))
        }
        return .done
    }

    private var conversation: Conversation {
        Conversation(environment: environment, participants: draft.participants)
    }

    private func resource(_ server: ServerAddress) -> BackendResource {
        BackendResource(server: server, path: environment.configuration.authenticationResponsePath)
    }

    private func fetch(_ username: UserName, _ server: ServerAddress) async -> RequestAnswer<AuthenticationRequest> {
        let resource = BackendResource(
            server: server, path: environment.configuration.authenticationRequestPath)
        return await exchange.fetch(AuthenticationContext(username: username), from: resource)
    }

    private func sign(
        _ order: SignatureOrder, _ consent: UserConsent, _ limit: QuestionLimit
    ) async throws(CeremonyFailure) -> SignatureOutcome {
        let store = environment.store
        let outcome = try await conversation.attend(consent, limit) { () async throws(CeremonyFailure) in
            try await store.sign(order, consent)
        }
        if case .signed = outcome, let kind = AuthenticatorAaid(rawValue: order.credential.aaid.text) {
            await conversation.celebrate(kind, during: .verification)
        }
        return outcome
    }

    private func sleep(_ delay: Duration) async throws(CeremonyFailure) {
        do throws(CancellationError) {
            try await environment.clock.sleep(for: delay)
        } catch {
            throw .canceled
        }
    }
}
