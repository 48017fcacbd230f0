import UAF

/// The rules of an authentication, with or without a transaction (FIDO UAF Protocol 1.1, 3.5.7).
package struct AuthenticationMachine: OperationMachine, ~Copyable {
    private typealias Next = Step<Effect, Output, CeremonyFailure>

    /// A request that may be answered, and everything that was found out about it.
    private struct Offer {
        let request: AuthenticationRequest
        let finalChallenge: FinalChallengeParameters
        let limit: QuestionLimit
        let transaction: TransactionText?
        let account: Account
        let accepted: [CredentialID]

        func response(_ assertion: [UInt8]?) -> AuthenticationResponse {
            AuthenticationResponse(
                header: request.header, finalChallenge: finalChallenge,
                assertions: assertion.map { [AuthenticatorSignAssertion(octets: $0)] } ?? [])
        }
    }

    /// Who authenticates, and what the device holds.
    private struct Account {
        let username: UserName
        let server: ServerAddress
        let device: DeviceSnapshot
    }

    /// The response, and the key that signed it.
    private struct Answer {
        let response: AuthenticationResponse
        let server: ServerAddress
        let credential: CredentialID
    }

    private enum State {
        /// Before `start`.
        case idle
        /// The keys of the device are being read.
        case loading(UserName)
        /// The server has been asked for a request.
        case requesting(Account)
        /// The facet list of the request is being looked at; nothing has touched the user yet.
        case checkingFacet(Account, AuthenticationRequest, QuestionLimit)
        /// Keys that the server turned out to know are becoming visible.
        case promoting(Offer)
        /// The user chooses an authenticator.
        case selecting(Offer)
        /// It is being looked up how the attempts stand.
        case readingProtection(Offer, CredentialID)
        /// The user enters the PIN.
        case verifying(Offer, CredentialID)
        /// The authenticator checks the PIN and signs.
        case signing(Offer, CredentialID)
        /// The response is with the server.
        case sending(Answer, RetrySchedule)
        /// The server has asked for patience.
        case waiting(Answer, RetrySchedule)
        /// A key that can never work again is being marked.
        case marking(CeremonyFailure, Offer?)
        /// The server is being told why there will be no response.
        case reporting(CeremonyFailure)
        /// The end.
        case finished(Result<Output, CeremonyFailure>)
    }

    private let order: Order
    private var state = State.idle

    package init(_ order: Order) { self.order = order }

    package mutating func start() -> Step<Effect, Output, CeremonyFailure> {
        guard case .idle = state else { return resume(.canceled) }
        do throws(CeremonyFailure) {
            let username = try AccountName.required(order.username)
            guard order.hasSelector else { throw .wrongUse(MissingParameterError("authenticatorSelector")) }
            guard !order.verifiable.isEmpty else { throw .wrongUse(MissingParameterError("pinUserVerifier")) }
            return enter(.loading(username), .loadDevice)
        } catch {
            return finish(.failure(error))
        }
    }

    package mutating func resume(_ event: Event) -> Step<Effect, Output, CeremonyFailure> {
        switch state {
        case .idle: finish(.failure(failure(of: event)))
        case .loading(let username): afterLoading(username, event)
        case .requesting(let account): afterRequest(account, event)
        case .checkingFacet(let account, let request, let limit): afterFacet(account, request, limit, event)
        case .promoting(let offer): afterPromotion(offer, event)
        case .selecting(let offer): afterChoice(offer, event)
        case .readingProtection(let offer, let credential): afterReading(offer, credential, event)
        case .verifying(let offer, let credential): afterPin(offer, credential, event)
        case .signing(let offer, let credential): afterSigning(offer, credential, event)
        case .sending(let answer, let retries): afterSending(answer, retries, event)
        case .waiting(let answer, let retries): afterWait(answer, retries, event)
        case .marking(let failure, let offer): afterMarking(failure, offer)
        case .reporting(let failure): finish(.failure(failure))
        case .finished(let result): .finish(result)
        }
    }

    // MARK: - Before the user is involved

    private mutating func afterLoading(_ username: UserName, _ event: Event) -> Next {
        guard case .device(let device) = event else { return finish(.failure(failure(of: event))) }
        let keys = device.credentials.filter { $0.username == username }
        guard let server = (keys.first { $0.state == .registered } ?? keys.first { $0.state == .pending })?.server
        else {
            return finish(.failure(.fido(keys.isEmpty ? .noSuitableAuthenticator : .keyDisappearedPermanently)))
        }
        guard server.isSecure else { return finish(.failure(.network(InsecureAddressError()))) }
        let account = Account(username: username, server: server, device: device)
        return enter(.requesting(account), .fetchRequest(username, server))
    }

    private mutating func afterRequest(_ account: Account, _ event: Event) -> Next {
        guard case .request(let answer) = event else { return finish(.failure(failure(of: event))) }
        guard case .request(let request, let expiry) = answer else { return finish(.failure(answer.failure)) }
        let limit = QuestionLimit(expiry: expiry)
        return enter(.checkingFacet(account, request, limit), .checkFacet(request.header))
    }

    private mutating func afterFacet(
        _ account: Account, _ request: AuthenticationRequest, _ limit: QuestionLimit, _ event: Event
    ) -> Next {
        guard case .facet(let verdict) = event else { return finish(.failure(failure(of: event))) }
        guard case .trusted(let facet) = verdict else { return finish(.failure(verdict.failure)) }
        let candidates = AuthenticatorCandidates(device: account.device, username: account.username, facet: facet)
        func offer(_ accepted: [CredentialID], _ transaction: TransactionText?) -> Offer {
            Offer(
                request: request, finalChallenge: facet.finalChallenge(for: request.challenge), limit: limit,
                transaction: transaction, account: account, accepted: accepted)
        }
        do throws(CeremonyFailure) {
            let transaction = request.transactions.isEmpty ? nil : try TransactionText(request.transactions)
            let accepted = try candidates.signing(under: request, at: account.server, kinds: order.verifiable)
            guard !accepted.isEmpty else { throw .fido(.noSuitableAuthenticator) }
            let pending = candidates.pending(namedBy: request.policy, at: account.server)
            return promote(offer(accepted, transaction), pending)
        } catch {
            return report(error, offer([], nil))
        }
    }

    private mutating func promote(_ offer: Offer, _ pending: [CredentialID]) -> Next {
        pending.isEmpty ? select(offer) : enter(.promoting(offer), .promote(pending))
    }

    private mutating func afterPromotion(_ offer: Offer, _ event: Event) -> Next {
        guard case .done = event else { return report(failure(of: event), offer) }
        return select(offer)
    }

    // MARK: - With the user

    private mutating func select(_ offer: Offer) -> Next {
        let facet = TrustedFacet(appID: offer.finalChallenge.appID, facetID: offer.finalChallenge.facetID)
        let shown = AuthenticatorCandidates(
            device: offer.account.device, username: offer.account.username, facet: facet
        ).shown(kinds: order.verifiable)
        let question = SelectionQuestion(
            username: offer.account.username, server: offer.account.server, shown: shown,
            accepted: offer.accepted.map(\.aaid), transactionText: offer.transaction?.octets, limit: offer.limit)
        return enter(.selecting(offer), .selectAuthenticator(question))
    }

    private mutating func afterChoice(_ offer: Offer, _ event: Event) -> Next {
        guard case .choice(.given(let text)) = event else { return report(failure(of: event), offer) }
        guard let aaid = AAID(text), let credential = offer.accepted.first(where: { $0.aaid == aaid }) else {
            return report(.fido(.noSuitableAuthenticator, cause: InvalidParameterError("aaid")), offer)
        }
        return enter(.readingProtection(offer, credential), .readProtection(credential))
    }

    private mutating func afterReading(_ offer: Offer, _ credential: CredentialID, _ event: Event) -> Next {
        guard case .protection(let protection) = event else { return fail(offer, credential, event) }
        return ask(offer, credential, protection)
    }

    private mutating func ask(_ offer: Offer, _ credential: CredentialID, _ protection: ProtectionReport) -> Next {
        if case .LockedOut = protection.status { return report(.fido(.userLockout), offer) }
        let question = VerificationQuestion(
            credential: credential, status: protection.status,
            limit: QuestionLimit(expiry: offer.limit.expiry, coolDown: protection.coolDown))
        return enter(.verifying(offer, credential), .verifyPin(question))
    }

    private mutating func afterPin(_ offer: Offer, _ credential: CredentialID, _ event: Event) -> Next {
        guard case .pin(.given(let pin)) = event else { return report(failure(of: event), offer) }
        let signature = SignatureOrder(
            credential: credential, finalChallenge: offer.finalChallenge, transaction: offer.transaction)
        return enter(.signing(offer, credential), .sign(signature, pin))
    }

    private mutating func afterSigning(_ offer: Offer, _ credential: CredentialID, _ event: Event) -> Next {
        guard case .signature(let outcome) = event else { return fail(offer, credential, event) }
        switch outcome {
        case .refused(let protection): return ask(offer, credential, protection)
        case .signed(let assertion):
            let answer = Answer(
                response: offer.response(assertion), server: offer.account.server, credential: credential)
            return send(answer, RetrySchedule(order.retries))
        }
    }

    // MARK: - With the server

    private mutating func send(_ answer: Answer, _ retries: RetrySchedule) -> Next {
        enter(.sending(answer, retries), .sendResponse(answer.response, answer.server))
    }

    private mutating func afterSending(_ answer: Answer, _ retries: RetrySchedule, _ event: Event) -> Next {
        guard case .verdict(let verdict) = event else { return finish(.failure(failure(of: event))) }
        switch verdict {
        case .accepted(let authorization): return finish(.success(authorization))
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
        case .unknown(let error): return finish(.failure(.unreachable(error)))
        }
    }

    private mutating func afterWait(_ answer: Answer, _ retries: RetrySchedule, _ event: Event) -> Next {
        guard case .done = event else { return finish(.failure(failure(of: event))) }
        return send(answer, retries)
    }

    private mutating func afterMarking(_ failure: CeremonyFailure, _ offer: Offer?) -> Next {
        offer.map { report(failure, $0) } ?? finish(.failure(failure))
    }

    // MARK: - Steps

    /// What an event that brings nothing forward means.
    private func failure(of event: Event) -> CeremonyFailure {
        switch event {
        case .failed(let failure): failure
        case .canceled, .choice(.canceled), .pin(.canceled): .canceled
        case .choice(.timedOut), .pin(.timedOut): .fido(.userNotResponsive)
        default: .fido(.unknown)
        }
    }

    /// Ends an operation whose authenticator failed; a key that is gone is marked first.
    private mutating func fail(_ offer: Offer, _ credential: CredentialID, _ event: Event) -> Next {
        let failure = failure(of: event)
        guard case .fido(.keyDisappearedPermanently, _) = failure else { return report(failure, offer) }
        return enter(.marking(failure, offer), .markUnusable(credential))
    }

    private mutating func enter(_ next: State, _ effect: Effect) -> Next {
        state = next
        return .perform(effect)
    }

    private mutating func report(_ failure: CeremonyFailure, _ offer: Offer) -> Next {
        enter(
            .reporting(failure), .report(offer.response(nil), offer.account.server, failure.reportedCode))
    }

    private mutating func finish(_ result: Result<Output, CeremonyFailure>) -> Next {
        state = .finished(result)
        return .finish(result)
    }
}
