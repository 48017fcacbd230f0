import Authenticators
import BackendAPI
import UAF
import UAFClient

/// Performer of the effects of the authentication machine.
struct AuthenticationPerformer: Sendable {
    typealias Event = AuthenticationMachine<SDKValues>.Event

    private let draft: AuthenticationDraft
    private let environment: ClientEnvironment
    private let exchange: BackendExchange

    private init(_ draft: AuthenticationDraft, _ environment: ClientEnvironment, _ exchange: BackendExchange) {
        self.draft = draft
        self.environment = environment
        self.exchange = exchange
    }

    static func attempt(
        _ draft: AuthenticationDraft, _ environment: ClientEnvironment
    ) async -> Result<(any AuthorizationProvider)?, AuthenticationError> {
        await environment.attempt { () async throws(AuthenticationError) in
            try await authenticate(draft, environment)
        }
    }

    private static func authenticate(
        _ draft: AuthenticationDraft, _ environment: ClientEnvironment
    ) async throws(AuthenticationError) -> (any AuthorizationProvider)? {
        var exchange: BackendExchange?
        do throws(CeremonyFailure) {
            let fresh = BackendExchange(
                environment, headers: draft.headers, credentials: try SessionCredentials(draft.session))
            exchange = fresh
            let performer = AuthenticationPerformer(draft, environment, fresh)
            var parameters = parameters(of: draft, environment)
            if case .user = parameters.subject { parameters.exchange = fresh.id }
            let machine = AuthenticationMachine<SDKValues>(parameters)
            return try await OperationRunner.run(machine, performing: performer.perform)
        } catch {
            throw AuthenticationError(error, session: exchange?.openedSession ?? draft.session)
        }
    }

    private static func parameters(
        of draft: AuthenticationDraft, _ environment: ClientEnvironment
    ) -> AuthenticationMachine<SDKValues>.Parameters {
        var parameters = draft.parameters
        parameters.hasSelector = draft.participants.authenticatorSelector != nil
        parameters.hasAccountSelector = draft.participants.accountSelector != nil
        parameters.hasChannelLinker = draft.participants.channelLinker != nil
        parameters.verifiable = draft.participants.verifiable(with: environment.traits).map(AuthenticatorKind.init)
        return parameters
    }

    func perform(_ effect: AuthenticationMachine<SDKValues>.Effect) async throws(CeremonyFailure) -> Event {
        let store = environment.store
        switch effect {
        case .loadDevice:
            try await store.requireDeviceLock()
            return .device(try await store.snapshot())
        case .fetchRequest(let username, let server, let isBound):
            let resource = BackendResource(server: server, path: environment.configuration.authenticationRequestPath)
            return .request(
                await exchange.fetch(AuthenticationContext(username: username), from: resource, isBound: isBound))
        case .checkFacet(let header):
            return .facet(
                await environment.facets.verdict(on: header).over(draft.channelBinding ?? exchange.channelBinding))
        case .promote(let credentials):
            try await store.promote(credentials)
            await store.destroyForgottenKeys()
        case .selectAccount(let question): return .choice(try await conversation.choice(question))
        case .linkChannel(let question): return .choice(try await conversation.link(question))
        case .selectAuthenticator(let question): return .choice(try await conversation.choice(question))
        case .readProtection(let credential): return .protection(try await environment.keys.protection(of: credential))
        case .verify(let question): return .secret(try await conversation.secret(question))
        case .confirmPresence(let question): return .presence(try await conversation.presence(question))
        case .sign(let parameters, let consent, let limit):
            return .signature(try await sign(parameters, consent, limit))
        case .sendResponse(let response, let server, let digits):
            return .verdict(
                await exchange.send(
                    OperationResponse.authentication(response), to: resource(server), linkingDigits: digits))
        case .wait(let delay): try await environment.sleep(delay)
        case .markUnusable(let credential): try await store.markUnusable(credential)
        case .report(let response, let server, let failure):
            await exchange.report(OperationResponse.authentication(response), failure, to: resource(server))
        }
        return .done
    }

    private var conversation: Conversation {
        Conversation(environment: environment, participants: draft.participants)
    }

    private func resource(_ server: ServerAddress) -> BackendResource {
        BackendResource(server: server, path: environment.configuration.authenticationResponsePath)
    }

    private func sign(
        _ parameters: SignatureParameters, _ consent: UserConsent, _ limit: QuestionLimit
    ) async throws(CeremonyFailure) -> SignatureOutcome {
        let keys = environment.keys
        let outcome: SignatureOutcome
        switch consent {
        case .secret: outcome = try await keys.sign(parameters, consent)
        case .presence(let request):
            outcome = try await conversation.attend(request, limit) { () async throws(CeremonyFailure) in
                try await keys.sign(parameters, consent)
            }
        }
        if case .signed = outcome, let kind = AuthenticatorAaid(rawValue: parameters.credential.aaid.text) {
            await conversation.notifySuccess(kind, during: .verification)
        }
        return outcome
    }
}
