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
        case .loadDevice: return .device(try await store.snapshot())
        case .fetchRequest(let username, let server): return .request(await fetch(username, server))
        case .checkFacet(let header): return .facet(await environment.facets.verdict(on: header))
        case .promote(let credentials):
            try await store.promote(credentials)
            await store.destroyForgottenKeys()
        case .selectAuthenticator(let question):
            return .choice(try await environment.choice(question, by: draft.selector))
        case .readProtection(let credential): return .protection(try await store.protection(of: credential))
        case .verifyPin(let question): return .pin(try await verify(question))
        case .sign(let order, let pin): return .signature(try await sign(order, pin))
        case .sendResponse(let response, let server):
            return .verdict(await exchange.send(OperationResponse.authentication(response), to: resource(server)))
        case .wait(let delay): try await sleep(delay)
        case .markUnusable(let credential): try await store.markUnusable(credential)
        case .report(let response, let server, let code):
            await exchange.report(OperationResponse.authentication(response), code, to: resource(server))
        }
        return .done
    }

    private func resource(_ server: ServerAddress) -> BackendResource {
        BackendResource(server: server, path: environment.configuration.authenticationResponsePath)
    }

    private func fetch(_ username: UserName, _ server: ServerAddress) async -> RequestAnswer<AuthenticationRequest> {
        let resource = BackendResource(
            server: server, path: environment.configuration.authenticationRequestPath)
        return await exchange.fetch(AuthenticationContext(username: username), from: resource)
    }

    private func verify(_ question: VerificationQuestion) async throws(CeremonyFailure) -> UserAnswer<SecretBytes> {
        guard let verifier = draft.pinUserVerifier else { throw .wrongUse(MissingParameterError("pinUserVerifier")) }
        let device = try await environment.store.snapshot()
        let context = PinUserVerificationState(
            snapshot: device.authenticator(question.credential.aaid), authenticatorProtectionStatus: question.status)
        return await environment.dialog.ask(question.limit) { slot in
            verifier.content.verifyPin(context: context, handler: PinUserVerificationAnswer(slot))
        }
    }

    private func sign(_ order: SignatureOrder, _ pin: SecretBytes) async throws(CeremonyFailure) -> SignatureOutcome {
        let outcome = try await environment.store.sign(order, pin: pin)
        if case .signed = outcome, let verifier = draft.pinUserVerifier {
            await MainActor.run { verifier.content.onValidCredentialsProvided() }
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
