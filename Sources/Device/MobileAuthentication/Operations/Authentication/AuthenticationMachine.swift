import Octets
import UAF

/// State machine of an authentication, with or without a transaction (FIDO UAF Protocol 1.1 section 3.5.7).
package struct AuthenticationMachine: OperationMachine, ~Copyable {
    private typealias Next = Step<Effect, Output, CeremonyFailure>

    private enum State {
        /// Before `start`.
        case idle
        /// The keys of the device are being read.
        case loading
        /// The server has been asked for a request.
        case requesting(Ground)
        /// The facet list of the request is being checked; the user is not involved yet.
        case checkingFacet(Ground, AuthenticationRequest, QuestionLimit)
        /// Keys that the server turned out to know are becoming visible.
        case promoting([Offer])
        /// The user chooses an account.
        case selectingAccount([Offer])
        /// The user links this device to another screen.
        case linking(Offer, LinkingDemand)
        /// The user chooses an authenticator.
        case selecting(Offer)
        /// The chosen key, which the server turned out to know, is taking the place of another one.
        case replacing(Choice)
        /// The attempts left are being read.
        case readingProtection(Choice)
        /// The user enters the secret.
        case verifying(Choice)
        /// The user is being told that the operating system will verify them.
        case announcing(Choice)
        /// The authenticator verifies the user and signs.
        case signing(Choice)
        /// The response was sent; the server has not answered yet.
        case sending(Answer, RetrySchedule)
        /// The server has postponed its answer (status 1202); the response is sent again after the wait.
        case waiting(Answer, RetrySchedule)
        /// A key that can never work again is being marked.
        case marking(CeremonyFailure, Inquiry?)
        /// The reason why there will be no response is being reported to the server.
        case reporting(CeremonyFailure)
        /// The end.
        case finished(Result<Output, CeremonyFailure>)
    }

    private let parameters: Parameters
    private var state = State.idle

    package init(_ parameters: Parameters) { self.parameters = parameters }

    package mutating func start() -> Step<Effect, Output, CeremonyFailure> {
        guard case .idle = state else { return resume(.canceled) }
        do throws(CeremonyFailure) {
            switch parameters.subject {
            case .user(let name): _ = try AccountName.required(name)
            case .whoever(_, _, let server):
                guard parameters.hasAccountSelector else { throw .wrongUse(MissingParameterError("accountSelector")) }
                guard server.isSecure else { throw .network(InsecureAddressError()) }
            }
            guard parameters.hasSelector else { throw .wrongUse(MissingParameterError("authenticatorSelector")) }
            guard !parameters.verifiable.isEmpty else { throw .wrongUse(MissingParameterError("pinUserVerifier")) }
            return enter(.loading, .loadDevice)
        } catch {
            return finish(.failure(error))
        }
    }

    package mutating func resume(_ event: Event) -> Step<Effect, Output, CeremonyFailure> {
        switch state {
        case .idle: finish(.failure(failure(of: event)))
        case .loading: afterLoading(event)
        case .requesting(let ground): afterRequest(ground, event)
        case .checkingFacet(let ground, let request, let limit): afterFacet(ground, request, limit, event)
        case .promoting(let offers): afterPromotion(offers, event)
        case .selectingAccount(let offers): afterAccount(offers, event)
        case .linking(let offer, let demand): afterLinking(offer, demand, event)
        case .selecting(let offer): afterChoice(offer, event)
        case .replacing(let choice): afterReplacement(choice, event)
        case .readingProtection(let choice): afterReading(choice, event)
        case .verifying(let choice): afterSecret(choice, event)
        case .announcing(let choice): afterAnnouncement(choice, event)
        case .signing(let choice): afterSigning(choice, event)
        case .sending(let answer, let retries): afterSending(answer, retries, event)
        case .waiting(let answer, let retries): afterWait(answer, retries, event)
        case .marking(let failure, let inquiry): afterMarking(failure, inquiry)
        case .reporting(let failure): finish(.failure(failure))
        case .finished(let result): .finish(result)
        }
    }

    // MARK: - Before the user is involved

    private mutating func afterLoading(_ event: Event) -> Next {
        guard case .device(let device) = event else { return finish(.failure(failure(of: event))) }
        do throws(CeremonyFailure) {
            switch parameters.subject {
            case .user(let name):
                let username = try AccountName.required(name)
                let scope = try Self.scope(of: username, device)
                let ground = Ground(username: username, authenticators: device.offers, scope: scope)
                return enter(.requesting(ground), .fetchRequest(username, scope.server))
            case .whoever(let request, let expiry, let server):
                let ground = Ground(
                    username: nil, authenticators: device.offers, scope: device.scope(at: server))
                return enter(
                    .checkingFacet(ground, request, QuestionLimit(expiry: expiry)), .checkFacet(request.header))
            }
        } catch {
            return finish(.failure(error))
        }
    }

    /// The scope of the server where a user has a key that may sign.
    private static func scope(
        of username: UserName, _ device: DeviceSnapshot
    ) throws(CeremonyFailure) -> ServerScope {
        guard let scope = device.home(of: username) else {
            throw .fido(.noSuitableAuthenticator, cause: UnregisteredUserError())
        }
        let isUsable = scope.of(username).keys.contains { $0.state != .unusable }
        guard isUsable else { throw .fido(.keyDisappearedPermanently) }
        guard scope.server.isSecure else { throw .network(InsecureAddressError()) }
        return scope
    }

    private mutating func afterRequest(_ ground: Ground, _ event: Event) -> Next {
        guard case .request(let answer) = event else { return finish(.failure(failure(of: event))) }
        guard case .request(let request, let expiry) = answer else { return finish(.failure(answer.failure)) }
        return enter(.checkingFacet(ground, request, QuestionLimit(expiry: expiry)), .checkFacet(request.header))
    }

    private mutating func afterFacet(
        _ ground: Ground, _ request: AuthenticationRequest, _ limit: QuestionLimit, _ event: Event
    ) -> Next {
        guard case .facet(let verdict) = event else { return finish(.failure(failure(of: event))) }
        guard case .trusted(let facet) = verdict else { return finish(.failure(verdict.failure)) }
        var inquiry = Inquiry(ground: ground, request: request, facet: facet, limit: limit)
        do throws(CeremonyFailure) {
            inquiry.transaction = request.transactions.isEmpty ? nil : try TransactionText(request.transactions)
            let usernames = ground.username.map { [$0] } ?? ground.scope.usernames
            let offers = try offers(to: usernames, inquiry)
            guard !offers.isEmpty else { throw .fido(.noSuitableAuthenticator) }
            guard parameters.linking == nil || parameters.hasChannelLinker else {
                throw .wrongUse(MissingParameterError("channelLinker"))
            }
            return promote(offers)
        } catch {
            return report(error, inquiry)
        }
    }

    private func offers(to usernames: [UserName], _ inquiry: Inquiry) throws(CeremonyFailure) -> [Offer] {
        var offers: [Offer] = []
        for username in usernames {
            let accepted = try inquiry.candidates(of: username).signing(
                under: inquiry.request, kinds: parameters.verifiable)
            if !accepted.isEmpty { offers.append(Offer(inquiry: inquiry, username: username, accepted: accepted)) }
        }
        return offers
    }

    /// Keys that the server names although their registration was never answered are there for the user to choose.
    ///
    /// Keys that would replace another one wait until the user has chosen them.
    private mutating func promote(_ offers: [Offer]) -> Next {
        let pending = offers.flatMap { offer in
            offer.accepted.filter { offer.isPending($0) && !offer.isReplacement($0) }
        }
        return pending.isEmpty ? choose(offers) : enter(.promoting(offers), .promote(pending))
    }

    private mutating func afterPromotion(_ offers: [Offer], _ event: Event) -> Next {
        guard case .done = event else { return report(failure(of: event), offers[0].inquiry) }
        return choose(offers)
    }

    private mutating func choose(_ offers: [Offer]) -> Next {
        offers[0].inquiry.ground.username == nil ? selectAccount(offers) : link(offers[0])
    }

    // MARK: - The choices of the user

    private mutating func selectAccount(_ offers: [Offer]) -> Next {
        let inquiry = offers[0].inquiry
        let question = AccountQuestion(
            shown: inquiry.candidates(of: offers[0].username).shown(kinds: parameters.verifiable),
            candidates: offers.map { .init(username: $0.username, accepted: $0.accepted.map(\.aaid)) },
            transactionText: inquiry.transaction?.octets, limit: inquiry.limit)
        return enter(.selectingAccount(offers), .selectAccount(question))
    }

    private mutating func afterAccount(_ offers: [Offer], _ event: Event) -> Next {
        guard case .choice(.given(let text)) = event else { return report(failure(of: event), offers[0].inquiry) }
        guard let username = UserName(text), let offer = offers.first(where: { $0.username == username }) else {
            return report(.fido(.noSuitableAuthenticator, cause: InvalidParameterError("username")), offers[0].inquiry)
        }
        return link(offer)
    }

    private mutating func link(_ offer: Offer, wasMalformed: Bool = false) -> Next {
        guard let demand = parameters.linking else { return select(offer) }
        let question = LinkingQuestion(
            username: offer.username, digitCount: demand.digitCount, shownDigits: demand.shownDigits,
            transactionText: offer.inquiry.transaction?.octets, wasMalformed: wasMalformed,
            limit: offer.inquiry.limit)
        return enter(.linking(offer, demand), .linkChannel(question))
    }

    private mutating func afterLinking(_ offer: Offer, _ demand: LinkingDemand, _ event: Event) -> Next {
        guard case .choice(.given(let digits)) = event else { return report(failure(of: event), offer.inquiry) }
        switch demand.judgement(of: digits) {
        case .malformed: return link(offer, wasMalformed: true)
        case .different: return report(.canceled, offer.inquiry)
        case .accepted:
            var offer = offer
            offer.linkingDigits = Sensitive(digits)
            return select(offer)
        }
    }

    private mutating func select(_ offer: Offer) -> Next {
        let question = SelectionQuestion(
            username: offer.username, server: offer.inquiry.ground.server,
            shown: offer.inquiry.candidates(of: offer.username).shown(kinds: parameters.verifiable),
            accepted: offer.accepted.map(\.aaid), transactionText: offer.inquiry.transaction?.octets,
            limit: offer.inquiry.limit)
        return enter(.selecting(offer), .selectAuthenticator(question))
    }

    private mutating func afterChoice(_ offer: Offer, _ event: Event) -> Next {
        guard case .choice(.given(let text)) = event else { return report(failure(of: event), offer.inquiry) }
        guard let aaid = AAID(text), let credential = offer.accepted.first(where: { $0.aaid == aaid }),
            let kind = AuthenticatorAaid(rawValue: text)
        else {
            return report(.fido(.noSuitableAuthenticator, cause: InvalidParameterError("aaid")), offer.inquiry)
        }
        let choice = Choice(
            inquiry: offer.inquiry, credential: credential, kind: kind, linkingDigits: offer.linkingDigits)
        guard offer.isPending(credential), offer.isReplacement(credential) else { return begin(choice) }
        return enter(.replacing(choice), .promote([credential]))
    }

    /// The key that the user chose replaces another one for the same authenticator.
    private mutating func afterReplacement(_ choice: Choice, _ event: Event) -> Next {
        guard case .done = event else { return report(failure(of: event), choice.inquiry) }
        return begin(choice)
    }

    private mutating func begin(_ choice: Choice) -> Next {
        choice.kind.secretKind == nil
            ? announce(choice) : enter(.readingProtection(choice), .readProtection(choice.credential))
    }

    // MARK: - The verification of the user

    private mutating func afterReading(_ choice: Choice, _ event: Event) -> Next {
        guard case .protection(let protection) = event else { return fail(choice, event) }
        return ask(choice, protection)
    }

    private mutating func ask(_ choice: Choice, _ protection: ProtectionReport) -> Next {
        guard protection != .lockedOut, let kind = choice.kind.secretKind else {
            return report(.fido(.userLockout), choice.inquiry)
        }
        let question = VerificationQuestion(
            kind: kind, credential: choice.credential, protection: protection,
            limit: QuestionLimit(expiry: choice.inquiry.limit.expiry, coolDown: protection.coolDown))
        return enter(.verifying(choice), .verify(question))
    }

    private mutating func afterSecret(_ choice: Choice, _ event: Event) -> Next {
        guard case .secret(.given(let secret)) = event else { return report(failure(of: event), choice.inquiry) }
        return sign(choice, .secret(secret))
    }

    private mutating func announce(_ choice: Choice) -> Next {
        let question = PresenceQuestion(
            aaid: choice.credential.aaid, kind: choice.kind, wasMismatch: choice.tries.lastWasMismatch,
            limit: choice.inquiry.limit)
        return enter(.announcing(choice), .confirmPresence(question))
    }

    private mutating func afterAnnouncement(_ choice: Choice, _ event: Event) -> Next {
        guard case .presence(.given(let request)) = event else { return report(failure(of: event), choice.inquiry) }
        return sign(choice, .presence(request))
    }

    private mutating func sign(_ choice: Choice, _ consent: UserConsent) -> Next {
        let signature = SignatureParameters(
            credential: choice.credential, finalChallenge: choice.inquiry.finalChallenge,
            transaction: choice.inquiry.transaction)
        return enter(.signing(choice), .sign(signature, consent, choice.inquiry.limit))
    }

    private mutating func afterSigning(_ choice: Choice, _ event: Event) -> Next {
        guard case .signature(let outcome) = event else { return fail(choice, event) }
        switch outcome {
        case .refused(let protection): return ask(choice, protection)
        case .unconfirmed(let refusal):
            var choice = choice
            guard choice.tries.count(refusal) else { return report(.fido(.userLockout), choice.inquiry) }
            return announce(choice)
        case .signed(let assertion):
            let answer = Answer(
                response: choice.inquiry.response(assertion), server: choice.inquiry.ground.server,
                credential: choice.credential, linkingDigits: choice.linkingDigits)
            return send(answer, RetrySchedule(parameters.retries))
        }
    }

    // MARK: - With the server

    private mutating func send(_ answer: Answer, _ retries: RetrySchedule) -> Next {
        enter(
            .sending(answer, retries),
            .sendResponse(answer.response, answer.server, linkingDigits: answer.linkingDigits))
    }

    private mutating func afterSending(_ answer: Answer, _ retries: RetrySchedule, _ event: Event) -> Next {
        guard case .verdict(let verdict) = event else { return finish(.failure(failure(of: event))) }
        switch verdict {
        case .accepted(let authorization, _): return finish(.success(authorization))
        case .postponed:
            var retries = retries
            guard let delay = retries.next() else {
                return finish(.failure(.fido(.protocolError, cause: ServerStatus.accepted)))
            }
            return enter(.waiting(answer, retries), .wait(delay))
        case .refused(.unknownKeyID):
            let failure = CeremonyFailure.fido(.protocolError, cause: ServerStatus.unknownKeyID)
            return enter(.marking(failure, nil), .markUnusable(answer.credential))
        case .refused(let status): return finish(.failure(.fido(.protocolError, cause: status)))
        case .rejected(let failure): return finish(.failure(failure))
        case .unknown(let error): return finish(.failure(.unreachable(error)))
        }
    }

    private mutating func afterWait(_ answer: Answer, _ retries: RetrySchedule, _ event: Event) -> Next {
        guard case .done = event else { return finish(.failure(failure(of: event))) }
        return send(answer, retries)
    }

    private mutating func afterMarking(_ failure: CeremonyFailure, _ inquiry: Inquiry?) -> Next {
        inquiry.map { report(failure, $0) } ?? finish(.failure(failure))
    }

    // MARK: - Steps

    /// Failure for an event that does not advance the machine.
    private func failure(of event: Event) -> CeremonyFailure {
        switch event {
        case .failed(let failure): failure
        case .canceled, .choice(.canceled), .secret(.canceled), .presence(.canceled): .canceled
        case .choice(.denied), .secret(.denied), .presence(.denied): .denied
        case .choice(.timedOut), .secret(.timedOut), .presence(.timedOut): .fido(.userNotResponsive)
        default: .fido(.unknown)
        }
    }

    /// Ends an operation whose authenticator failed; a key that is gone is marked first.
    private mutating func fail(_ choice: Choice, _ event: Event) -> Next {
        let failure = failure(of: event)
        guard case .fido(.keyDisappearedPermanently, _) = failure else { return report(failure, choice.inquiry) }
        return enter(.marking(failure, choice.inquiry), .markUnusable(choice.credential))
    }

    private mutating func enter(_ next: State, _ effect: Effect) -> Next {
        state = next
        return .perform(effect)
    }

    private mutating func report(_ failure: CeremonyFailure, _ inquiry: Inquiry) -> Next {
        enter(
            .reporting(failure), .report(inquiry.response(nil), inquiry.ground.server, failure))
    }

    private mutating func finish(_ result: Result<Output, CeremonyFailure>) -> Next {
        state = .finished(result)
        return .finish(result)
    }
}
