import Octets
import UAF

/// State machine of an authentication, with or without a transaction (FIDO UAF Protocol 1.1 section 3.5.7).
package struct AuthenticationMachine<Values: CarriedValues>: OperationMachine, ~Copyable {
    private typealias Next = Step<Effect, Output, CeremonyFailure>

    private enum State {
        /// Before `start`.
        case idle
        /// The keys of the device are being read.
        case loading
        /// The server has been asked for a request.
        case requesting(DeviceContext)
        /// The facet list of the request is being checked; the user is not involved yet.
        case checkingFacet(DeviceContext, AuthenticationRequest, QuestionLimit)
        /// Keys that the server turned out to know are becoming visible.
        case promoting([AccountCandidate])
        /// The user chooses an account.
        case selectingAccount([AccountCandidate])
        /// The user links this device to another screen.
        case linking(AccountCandidate, LinkingDemand)
        /// The user chooses an authenticator.
        case selecting(AccountCandidate)
        /// The chosen key, which the server turned out to know, is taking the place of another one.
        case replacing(SelectedKey)
        /// The attempts left are being read.
        case readingProtection(SelectedKey)
        /// The user enters the secret.
        case verifying(SelectedKey)
        /// The user is being told that the operating system will verify them.
        case announcing(SelectedKey)
        /// The authenticator verifies the user and signs.
        case signing(SelectedKey)
        /// The response was sent; the server has not answered yet.
        case sending(Answer, RetrySchedule)
        /// The server has postponed its answer (status 1202); the response is sent again after the wait.
        case waiting(Answer, RetrySchedule)
        /// A key that can never work again is being marked.
        case marking(CeremonyFailure, ValidatedRequest?)
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
                guard parameters.hasAccountSelector else { throw .wrongUse(CeremonyFault.missingParameter("accountSelector")) }
                guard server.isSecure else { throw .network(CeremonyFault.insecureAddress) }
            }
            guard parameters.hasSelector else { throw .wrongUse(CeremonyFault.missingParameter("authenticatorSelector")) }
            guard !parameters.verifiable.isEmpty else { throw .wrongUse(CeremonyFault.missingParameter("pinUserVerifier")) }
            return enter(.loading, .loadDevice)
        } catch {
            return finish(.failure(error))
        }
    }

    package mutating func resume(_ event: Event) -> Step<Effect, Output, CeremonyFailure> {
        switch state {
        case .idle: finish(.failure(failure(of: event)))
        case .loading: afterLoading(event)
        case .requesting(let deviceContext): afterRequest(deviceContext, event)
        case .checkingFacet(let deviceContext, let request, let limit): afterFacet(deviceContext, request, limit, event)
        case .promoting(let candidates): afterPromotion(candidates, event)
        case .selectingAccount(let candidates): afterAccount(candidates, event)
        case .linking(let candidate, let demand): afterLinking(candidate, demand, event)
        case .selecting(let candidate): afterChoice(candidate, event)
        case .replacing(let selected): afterReplacement(selected, event)
        case .readingProtection(let selected): afterReading(selected, event)
        case .verifying(let selected): afterSecret(selected, event)
        case .announcing(let selected): afterAnnouncement(selected, event)
        case .signing(let selected): afterSigning(selected, event)
        case .sending(let answer, let retries): afterSending(answer, retries, event)
        case .waiting(let answer, let retries): afterWait(answer, retries, event)
        case .marking(let failure, let validated): afterMarking(failure, validated)
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
                let deviceContext = DeviceContext(username: username, authenticators: device.models, scope: scope)
                return enter(.requesting(deviceContext), .fetchRequest(username, scope.server))
            case .whoever(let request, let expiry, let server):
                let deviceContext = DeviceContext(
                    username: nil, authenticators: device.models, scope: device.scope(at: server))
                return enter(
                    .checkingFacet(deviceContext, request, QuestionLimit(expiry: expiry)), .checkFacet(request.header))
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
            throw .fido(.noSuitableAuthenticator, cause: CeremonyFault.unregisteredUser)
        }
        let isUsable = scope.of(username).keys.contains { $0.state != .unusable }
        guard isUsable else { throw .fido(.keyDisappearedPermanently) }
        guard scope.server.isSecure else { throw .network(CeremonyFault.insecureAddress) }
        return scope
    }

    private mutating func afterRequest(_ deviceContext: DeviceContext, _ event: Event) -> Next {
        guard case .request(let answer) = event else { return finish(.failure(failure(of: event))) }
        guard case .request(let request, let expiry) = answer else { return finish(.failure(answer.failure)) }
        return enter(.checkingFacet(deviceContext, request, QuestionLimit(expiry: expiry)), .checkFacet(request.header))
    }

    private mutating func afterFacet(
        _ deviceContext: DeviceContext, _ request: AuthenticationRequest, _ limit: QuestionLimit, _ event: Event
    ) -> Next {
        guard case .facet(let verdict) = event else { return finish(.failure(failure(of: event))) }
        guard case .trusted(let facet) = verdict else { return finish(.failure(verdict.failure)) }
        var validated = ValidatedRequest(deviceContext: deviceContext, request: request, facet: facet, limit: limit)
        do throws(CeremonyFailure) {
            validated.transaction = request.transactions.isEmpty ? nil : try TransactionText(request.transactions)
            let usernames = deviceContext.username.map { [$0] } ?? deviceContext.scope.usernames
            let candidates = try candidates(among: usernames, validated)
            guard !candidates.isEmpty else { throw .fido(.noSuitableAuthenticator) }
            guard parameters.linking == nil || parameters.hasChannelLinker else {
                throw .wrongUse(CeremonyFault.missingParameter("channelLinker"))
            }
            return promote(candidates)
        } catch {
            return report(error, validated)
        }
    }

    private func candidates(among usernames: [UserName], _ validated: ValidatedRequest) throws(CeremonyFailure)
        -> [AccountCandidate]
    {
        var candidates: [AccountCandidate] = []
        for username in usernames {
            let accepted = try validated.candidates(of: username).signing(
                under: validated.request, kinds: parameters.verifiable)
            if !accepted.isEmpty {
                candidates.append(AccountCandidate(validated: validated, username: username, accepted: accepted))
            }
        }
        return candidates
    }

    /// Keys that the server names although their registration was never answered are there for the user to choose.
    ///
    /// Keys that would replace another one wait until the user has chosen them.
    private mutating func promote(_ candidates: [AccountCandidate]) -> Next {
        let pending = candidates.flatMap { candidate in
            candidate.accepted.filter { candidate.isPending($0) && !candidate.isReplacement($0) }
        }
        return pending.isEmpty ? choose(candidates) : enter(.promoting(candidates), .promote(pending))
    }

    private mutating func afterPromotion(_ candidates: [AccountCandidate], _ event: Event) -> Next {
        guard case .done = event else { return report(failure(of: event), candidates[0].validated) }
        return choose(candidates)
    }

    private mutating func choose(_ candidates: [AccountCandidate]) -> Next {
        candidates[0].validated.deviceContext.username == nil ? selectAccount(candidates) : link(candidates[0])
    }

    // MARK: - The choices of the user

    private mutating func selectAccount(_ candidates: [AccountCandidate]) -> Next {
        let validated = candidates[0].validated
        let question = AccountQuestion(
            shown: validated.candidates(of: candidates[0].username).shown(kinds: parameters.verifiable),
            candidates: candidates.map { .init(username: $0.username, accepted: $0.accepted.map(\.aaid)) },
            transactionText: validated.transaction?.octets, limit: validated.limit)
        return enter(.selectingAccount(candidates), .selectAccount(question))
    }

    private mutating func afterAccount(_ candidates: [AccountCandidate], _ event: Event) -> Next {
        guard case .choice(.given(let text)) = event else { return report(failure(of: event), candidates[0].validated) }
        guard let username = UserName(text), let candidate = candidates.first(where: { $0.username == username }) else {
            return report(
                .fido(.noSuitableAuthenticator, cause: CeremonyFault.invalidParameter("username")), candidates[0].validated)
        }
        return link(candidate)
    }

    private mutating func link(_ candidate: AccountCandidate, wasMalformed: Bool = false) -> Next {
        guard let demand = parameters.linking else { return select(candidate) }
        let question = LinkingQuestion(
            username: candidate.username, digitCount: demand.digitCount, shownDigits: demand.shownDigits,
            transactionText: candidate.validated.transaction?.octets, wasMalformed: wasMalformed,
            limit: candidate.validated.limit)
        return enter(.linking(candidate, demand), .linkChannel(question))
    }

    private mutating func afterLinking(_ candidate: AccountCandidate, _ demand: LinkingDemand, _ event: Event) -> Next {
        guard case .choice(.given(let digits)) = event else { return report(failure(of: event), candidate.validated) }
        switch demand.judgement(of: digits) {
        case .malformed: return link(candidate, wasMalformed: true)
        case .different: return report(.canceled, candidate.validated)
        case .accepted:
            var candidate = candidate
            candidate.linkingDigits = Sensitive(digits)
            return select(candidate)
        }
    }

    private mutating func select(_ candidate: AccountCandidate) -> Next {
        let question = SelectionQuestion(
            username: candidate.username, server: candidate.validated.deviceContext.server,
            shown: candidate.validated.candidates(of: candidate.username).shown(kinds: parameters.verifiable),
            accepted: candidate.accepted.map(\.aaid), transactionText: candidate.validated.transaction?.octets,
            limit: candidate.validated.limit)
        return enter(.selecting(candidate), .selectAuthenticator(question))
    }

    private mutating func afterChoice(_ candidate: AccountCandidate, _ event: Event) -> Next {
        guard case .choice(.given(let text)) = event else { return report(failure(of: event), candidate.validated) }
        guard let aaid = AAID(text), let credential = candidate.accepted.first(where: { $0.aaid == aaid }),
            let kind = aaid.kind
        else {
            return report(.fido(.noSuitableAuthenticator, cause: CeremonyFault.invalidParameter("aaid")), candidate.validated)
        }
        let selected = SelectedKey(
            validated: candidate.validated, credential: credential, kind: kind, linkingDigits: candidate.linkingDigits)
        guard candidate.isPending(credential), candidate.isReplacement(credential) else { return begin(selected) }
        return enter(.replacing(selected), .promote([credential]))
    }

    /// The key that the user chose replaces another one for the same authenticator.
    private mutating func afterReplacement(_ selected: SelectedKey, _ event: Event) -> Next {
        guard case .done = event else { return report(failure(of: event), selected.validated) }
        return begin(selected)
    }

    private mutating func begin(_ selected: SelectedKey) -> Next {
        selected.kind.secretKind == nil
            ? announce(selected) : enter(.readingProtection(selected), .readProtection(selected.credential))
    }

    // MARK: - The verification of the user

    private mutating func afterReading(_ selected: SelectedKey, _ event: Event) -> Next {
        guard case .protection(let protection) = event else { return fail(selected, event) }
        return ask(selected, protection)
    }

    private mutating func ask(_ selected: SelectedKey, _ protection: ProtectionReport) -> Next {
        guard protection != .lockedOut, let kind = selected.kind.secretKind else {
            return report(.fido(.userLockout), selected.validated)
        }
        let question = VerificationQuestion(
            kind: kind, credential: selected.credential, protection: protection,
            limit: QuestionLimit(expiry: selected.validated.limit.expiry, coolDown: protection.coolDown))
        return enter(.verifying(selected), .verify(question))
    }

    private mutating func afterSecret(_ selected: SelectedKey, _ event: Event) -> Next {
        guard case .secret(.given(let secret)) = event else { return report(failure(of: event), selected.validated) }
        return sign(selected, .secret(secret))
    }

    private mutating func announce(_ selected: SelectedKey) -> Next {
        let question = PresenceQuestion(
            aaid: selected.credential.aaid, authenticator: selected.kind, wasMismatch: selected.tries.lastWasMismatch,
            limit: selected.validated.limit)
        return enter(.announcing(selected), .confirmPresence(question))
    }

    private mutating func afterAnnouncement(_ selected: SelectedKey, _ event: Event) -> Next {
        guard case .presence(.given(let request)) = event else { return report(failure(of: event), selected.validated) }
        return sign(selected, .presence(request))
    }

    private mutating func sign(_ selected: SelectedKey, _ consent: KeyConsent<Values>) -> Next {
        let signature = SignatureParameters(
            credential: selected.credential, finalChallenge: selected.validated.finalChallenge,
            transaction: selected.validated.transaction)
        return enter(.signing(selected), .sign(signature, consent, selected.validated.limit))
    }

    private mutating func afterSigning(_ selected: SelectedKey, _ event: Event) -> Next {
        guard case .signature(let outcome) = event else { return fail(selected, event) }
        switch outcome {
        case .refused(let protection): return ask(selected, protection)
        case .unconfirmed(let refusal):
            var selected = selected
            guard selected.tries.count(refusal) else { return report(.fido(.userLockout), selected.validated) }
            return announce(selected)
        case .signed(let assertion):
            let answer = Answer(
                response: selected.validated.response(assertion), server: selected.validated.deviceContext.server,
                credential: selected.credential, linkingDigits: selected.linkingDigits)
            return send(answer, parameters.retries)
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
                return finish(.failure(.fido(.protocolError, cause: CeremonyFault.refused(.accepted))))
            }
            return enter(.waiting(answer, retries), .wait(delay))
        case .refused(.unknownKeyID):
            let failure = CeremonyFailure.fido(.protocolError, cause: CeremonyFault.refused(.unknownKeyID))
            return enter(.marking(failure, nil), .markUnusable(answer.credential))
        case .refused(let status): return finish(.failure(.fido(.protocolError, cause: CeremonyFault.refused(status))))
        case .rejected(let failure): return finish(.failure(failure))
        case .unknown(let error): return finish(.failure(.unreachable(error)))
        }
    }

    private mutating func afterWait(_ answer: Answer, _ retries: RetrySchedule, _ event: Event) -> Next {
        guard case .done = event else { return finish(.failure(failure(of: event))) }
        return send(answer, retries)
    }

    private mutating func afterMarking(_ failure: CeremonyFailure, _ validated: ValidatedRequest?) -> Next {
        validated.map { report(failure, $0) } ?? finish(.failure(failure))
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
    private mutating func fail(_ selected: SelectedKey, _ event: Event) -> Next {
        let failure = failure(of: event)
        guard case .fido(.keyDisappearedPermanently, _) = failure else { return report(failure, selected.validated) }
        return enter(.marking(failure, selected.validated), .markUnusable(selected.credential))
    }

    private mutating func enter(_ next: State, _ effect: Effect) -> Next {
        state = next
        return .perform(effect)
    }

    private mutating func report(_ failure: CeremonyFailure, _ validated: ValidatedRequest) -> Next {
        enter(
            .reporting(failure), .report(validated.response(nil), validated.deviceContext.server, failure))
    }

    private mutating func finish(_ result: Result<Output, CeremonyFailure>) -> Next {
        state = .finished(result)
        return .finish(result)
    }
}
