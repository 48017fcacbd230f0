import BackendAPI
import UAF

/// Does what the registration machine asks for.
struct RegistrationPerformer: Sendable {
    private typealias Event = RegistrationMachine.Event

    private let draft: RegistrationOperation.Draft
    private let environment: ClientEnvironment
    private let exchange: BackendExchange

    init(
        _ draft: RegistrationOperation.Draft, _ environment: ClientEnvironment, _ exchange: BackendExchange
    ) {
        self.draft = draft
        self.environment = environment
        self.exchange = exchange
    }

    /// Carries out one effect.
    func perform(_ effect: RegistrationMachine.Effect) async -> RegistrationMachine.Event {
        do throws(CeremonyFailure) {
            return try await event(of: effect)
        } catch {
            return .failed(error)
        }
    }

    private func event(of effect: RegistrationMachine.Effect) async throws(CeremonyFailure) -> Event {
        switch effect {
        case .loadDevice: return .device(try await environment.store.snapshot())
        case .fetchRequest(let username): return .request(await fetch(username))
        case .checkFacet(let header): return .facet(await environment.facets.verdict(on: header))
        case .selectAuthenticator(let question):
            return .choice(try await environment.choice(question, by: draft.selector))
        case .enrollPin(let question): return .pin(try await enroll(question))
        case .validatePin(let pin, let limit): return .pinJudged(try await judge(pin, limit))
        case .createKey(let order, let pin):
            return .keyCreated(try await environment.store.createKey(order, pin: pin))
        case .sendResponse(let response):
            return .verdict(await exchange.send(OperationResponse.registration(response), to: resource))
        case .confirm(let credential, let deviceInformation):
            try await environment.store.confirm(credential, deviceInformation: deviceInformation)
            await environment.store.destroyForgottenKeys()
        case .discard(let credential):
            try await environment.store.remove([credential])
            await environment.store.destroyForgottenKeys()
        case .report(let response, let code):
            await exchange.report(OperationResponse.registration(response), code, to: resource)
        }
        return .done
    }

    private var resource: BackendResource {
        BackendResource(server: draft.order.server, path: environment.configuration.registrationResponsePath)
    }

    private func fetch(_ username: UserName) async -> RequestAnswer<RegistrationRequest> {
        let resource = BackendResource(
            server: draft.order.server, path: environment.configuration.registrationRequestPath)
        return await exchange.fetch(RegistrationContext(username: username), from: resource)
    }

    private func enroll(_ question: EnrollmentQuestion) async throws(CeremonyFailure) -> UserAnswer<SecretBytes> {
        guard let enroller = draft.pinEnroller else { throw .wrongUse(MissingParameterError("pinEnroller")) }
        let context = PinEnrollmentState(username: question.username.text, lastRecoverableError: question.refusal)
        return await environment.dialog.ask(question.limit) { slot in
            enroller.content.enrollPin(context: context, handler: PinEnrollmentAnswer(slot))
        }
    }

    private func judge(_ pin: SecretBytes, _ limit: QuestionLimit) async throws(CeremonyFailure) -> PinJudgement {
        guard let enroller = draft.pinEnroller else { throw .wrongUse(MissingParameterError("pinEnroller")) }
        return try await PinJudge(dialog: environment.dialog, enroller: enroller).judge(pin, limit: limit)
    }
}
