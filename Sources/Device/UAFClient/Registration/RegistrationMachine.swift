import Authenticators
import UAF

/// State machine of a registration (FIDO UAF Protocol 1.1 section 3.4.6).
package struct RegistrationMachine<Values: CarriedValues>: OperationMachine, ~Copyable {
    private typealias Next = Step<Effect, Void, CeremonyFailure>

    /// Validated request, with everything that was found out about it.
    private struct ValidatedRequest {
        let request: RegistrationRequest
        let finalChallenge: FinalChallengeParameters
        let limit: QuestionLimit
        let accepted: [AuthenticatorCandidates.Registrable]

        func response(_ assertion: [UInt8]?) -> RegistrationResponse {
            RegistrationResponse(
                header: request.header, finalChallenge: finalChallenge,
                assertions: assertion.map { [AuthenticatorRegistrationAssertion(octets: $0)] } ?? [])
        }
    }

    /// Selected authenticator, with the state of its verification.
    private struct SelectedAuthenticator {
        let validated: ValidatedRequest
        let authenticator: AuthenticatorCandidates.Registrable
        let kind: AuthenticatorKind
        var tries = PresenceTries()
    }

    /// User for whom the server does not know the device yet, and the authorization that it has issued.
    private struct Introduction {
        let username: UserName
        let issued: Values.Authorization?
    }

    private enum State {
        /// Before `start`.
        case idle
        /// The keys of the device are being read.
        case loading(UserName)
        /// The server has been asked for a request.
        case requesting(DeviceSnapshot)
        /// The facet list of the request is being checked; the user is not involved yet.
        case checkingFacet(DeviceSnapshot, RegistrationRequest, QuestionLimit)
        /// The user chooses an authenticator.
        case selecting(ValidatedRequest)
        /// The user chooses a secret.
        case enrolling(SelectedAuthenticator)
        /// The chosen secret is being judged.
        case judging(SelectedAuthenticator)
        /// The user is being told that the operating system will verify them.
        case announcing(SelectedAuthenticator)
        /// The authenticator makes the key, which begins as a pending one.
        case creating(SelectedAuthenticator)
        /// The response was sent; from here on the key stays until the server has answered.
        case sending(CredentialID, UserName)
        /// The server has accepted; the key becomes visible.
        case confirming(Introduction?)
        /// The server is being asked for a record of the device; the registration is done, whatever comes of it.
        case introducing
        /// The key is being taken back.
        case discarding(CeremonyFailure)
        /// The reason why there will be no response is being reported to the server.
        case reporting(CeremonyFailure)
        /// The end.
        case finished(Result<Void, CeremonyFailure>)
    }

    private let parameters: Parameters
    private var state = State.idle

    package init(_ parameters: Parameters) { self.parameters = parameters }

    package mutating func start() -> Step<Effect, Void, CeremonyFailure> {
        guard case .idle = state else { return resume(.canceled) }
        do throws(CeremonyFailure) {
            let username =
                if let received = parameters.received { received.request.username } else {
                    try AccountName.required(parameters.username)
                }
            guard parameters.hasSelector else { throw .wrongUse(CeremonyFault.missingParameter("authenticatorSelector")) }
            guard !parameters.enrollable.isEmpty else { throw .wrongUse(CeremonyFault.missingParameter("pinEnroller")) }
            guard parameters.deviceInformation?.isStorable ?? true else {
                throw .wrongUse(CeremonyFault.invalidParameter("deviceInformation"))
            }
            guard !(parameters.refusesContradictions && parameters.choices.isContradictory) else {
                throw .wrongUse(CeremonyFault.conflictingOptions)
            }
            guard parameters.server.isSecure else { throw .network(CeremonyFault.insecureAddress) }
            return enter(.loading(username), .loadDevice)
        } catch {
            return finish(.failure(error))
        }
    }

    package mutating func resume(_ event: Event) -> Step<Effect, Void, CeremonyFailure> {
        switch state {
        case .idle: finish(.failure(failure(of: event)))
        case .loading(let username): afterLoading(username, event)
        case .requesting(let device): afterRequest(device, event)
        case .checkingFacet(let device, let request, let limit): afterFacet(device, request, limit, event)
        case .selecting(let validated): afterChoice(validated, event)
        case .enrolling(let selected): afterSecret(selected, event)
        case .judging(let selected): afterJudgement(selected, event)
        case .announcing(let selected): afterAnnouncement(selected, event)
        case .creating(let selected): afterCreation(selected, event)
        case .sending(let credential, let username): afterSending(credential, username, event)
        case .confirming(let introduction): afterConfirming(introduction, event)
        case .introducing: finish(.success(()))
        case .discarding(let failure), .reporting(let failure): finish(.failure(failure))
        case .finished(let result): .finish(result)
        }
    }

    // MARK: - Before the user is involved

    private mutating func afterLoading(_ username: UserName, _ event: Event) -> Next {
        guard case .device(let device) = event else { return finish(.failure(failure(of: event))) }
        if let failure = obstacle(username, device) { return finish(.failure(failure)) }
        guard let received = parameters.received else { return enter(.requesting(device), .fetchRequest(username)) }
        let limit = QuestionLimit(expiry: received.expiry)
        return enter(.checkingFacet(device, received.request, limit), .checkFacet(received.request.header))
    }

    /// Failure when the device does not allow this registration; nil when it does.
    private func obstacle(_ username: UserName, _ device: DeviceSnapshot) -> CeremonyFailure? {
        guard !device.scope(at: parameters.server).isForeign(username) else { return .registeredInAnotherServer }
        guard device.record != nil || parameters.deviceInformation != nil else {
            return .wrongUse(CeremonyFault.missingParameter("deviceInformation"))
        }
        return nil
    }

    private mutating func afterRequest(_ device: DeviceSnapshot, _ event: Event) -> Next {
        guard case .request(let answer) = event else { return finish(.failure(failure(of: event))) }
        guard case .request(let request, let expiry) = answer else { return finish(.failure(answer.failure)) }
        let limit = QuestionLimit(expiry: expiry)
        return enter(.checkingFacet(device, request, limit), .checkFacet(request.header))
    }

    private mutating func afterFacet(
        _ device: DeviceSnapshot, _ request: RegistrationRequest, _ limit: QuestionLimit, _ event: Event
    ) -> Next {
        guard case .facet(let verdict) = event else { return finish(.failure(failure(of: event))) }
        guard case .trusted(let facet) = verdict else { return finish(.failure(verdict.failure)) }
        // The server names the account; it may know the user by another name than the application does.
        if let failure = obstacle(request.username, device) { return finish(.failure(failure)) }
        let scope = device.scope(at: parameters.server)
        guard !scope.isForeign(facet) else {
            return finish(.failure(.fido(.untrustedFacetID, cause: CeremonyFault.foreignAppID)))
        }
        let candidates = AuthenticatorCandidates(
            authenticators: device.models, scope: scope, username: request.username, facet: facet)
        func validated(_ accepted: [AuthenticatorCandidates.Registrable]) -> ValidatedRequest {
            ValidatedRequest(
                request: request, finalChallenge: facet.finalChallenge(for: request.challenge), limit: limit,
                accepted: accepted)
        }
        do throws(CeremonyFailure) {
            let accepted = try candidates.registrable(
                under: request.policy, kinds: parameters.enrollable,
                allowsClass2Sensors: parameters.choices.allowsClass2Sensors)
            guard !accepted.isEmpty else { throw .fido(.noSuitableAuthenticator) }
            let question = SelectionQuestion(
                username: request.username, server: parameters.server,
                shown: candidates.shown(kinds: parameters.enrollable),
                accepted: accepted.map(\.aaid), transactionText: nil, limit: limit)
            return enter(.selecting(validated(accepted)), .selectAuthenticator(question))
        } catch {
            return report(error, validated([]))
        }
    }

    // MARK: - With the user

    private mutating func afterChoice(_ validated: ValidatedRequest, _ event: Event) -> Next {
        guard case .choice(.given(let text)) = event else { return report(failure(of: event), validated) }
        guard let aaid = AAID(text), let authenticator = validated.accepted.first(where: { $0.aaid == aaid }),
            let kind = aaid.kind
        else {
            return report(.fido(.noSuitableAuthenticator, cause: CeremonyFault.invalidParameter("aaid")), validated)
        }
        let selected = SelectedAuthenticator(validated: validated, authenticator: authenticator, kind: kind)
        return kind.secretKind.map { ask(selected, $0, flaw: nil) } ?? announce(selected)
    }

    private mutating func ask(_ selected: SelectedAuthenticator, _ kind: SecretKind, flaw: SecretFlaw?) -> Next {
        let question = EnrollmentQuestion(
            kind: kind, username: selected.validated.request.username, flaw: flaw, limit: selected.validated.limit)
        return enter(.enrolling(selected), .enroll(question))
    }

    private mutating func afterSecret(_ selected: SelectedAuthenticator, _ event: Event) -> Next {
        guard case .secret(.given(let secret)) = event, let kind = selected.kind.secretKind else {
            return report(failure(of: event), selected.validated)
        }
        return enter(.judging(selected), .judge(kind, secret, selected.validated.limit))
    }

    private mutating func afterJudgement(_ selected: SelectedAuthenticator, _ event: Event) -> Next {
        guard case .judged(let judgement) = event, let kind = selected.kind.secretKind else {
            return report(failure(of: event), selected.validated)
        }
        switch judgement {
        case .refused(let flaw): return ask(selected, kind, flaw: flaw)
        case .accepted(let secret): return create(selected, .secret(secret))
        }
    }

    private mutating func announce(_ selected: SelectedAuthenticator) -> Next {
        let question = PresenceQuestion(
            aaid: selected.authenticator.aaid, authenticator: selected.kind, wasMismatch: selected.tries.lastWasMismatch,
            limit: selected.validated.limit)
        return enter(.announcing(selected), .confirmPresence(question))
    }

    private mutating func afterAnnouncement(_ selected: SelectedAuthenticator, _ event: Event) -> Next {
        guard case .presence(.given(let request)) = event else { return report(failure(of: event), selected.validated) }
        return create(selected, .presence(request))
    }

    // MARK: - With the key

    private mutating func create(_ selected: SelectedAuthenticator, _ consent: KeyConsent<Values>) -> Next {
        let validated = selected.validated
        let key = KeyParameters(
            aaid: selected.authenticator.aaid, username: validated.request.username, server: parameters.server,
            appID: validated.finalChallenge.appID, finalChallenge: validated.finalChallenge,
            acceptedAlgorithms: selected.authenticator.algorithms,
            choices: parameters.choices.complete(fallbackExcludesInvalidation: parameters.refusesContradictions))
        return enter(.creating(selected), .createKey(key, consent, validated.limit))
    }

    private mutating func afterCreation(_ selected: SelectedAuthenticator, _ event: Event) -> Next {
        guard case .creation(let outcome) = event else { return report(failure(of: event), selected.validated) }
        switch outcome {
        case .made(let key):
            let username = selected.validated.request.username
            return enter(
                .sending(key.credential, username), .sendResponse(selected.validated.response(key.assertion), username))
        case .refused(let refusal):
            var selected = selected
            guard selected.tries.count(refusal) else { return report(.fido(.userLockout), selected.validated) }
            return announce(selected)
        }
    }

    /// Status 1200 keeps the key, another status deletes it, no answer leaves it pending (a later policy may name it).
    private mutating func afterSending(_ credential: CredentialID, _ username: UserName, _ event: Event) -> Next {
        guard case .verdict(let verdict) = event else {
            // Canceled before anything was sent: the server cannot know the key.
            return enter(.discarding(failure(of: event)), .discard(credential))
        }
        switch verdict {
        case .accepted(let issued, let target):
            let introduction = target == nil ? Introduction(username: username, issued: issued) : nil
            return enter(.confirming(introduction), .confirm(credential, target: target))
        case .postponed:
            return enter(.discarding(.fido(.protocolError, cause: CeremonyFault.refused(.accepted))), .discard(credential))
        case .refused(let status):
            return enter(.discarding(.fido(.protocolError, cause: CeremonyFault.refused(status))), .discard(credential))
        case .rejected(let failure): return enter(.discarding(failure), .discard(credential))
        case .unknown(let error): return finish(.failure(.unreachable(error)))
        }
    }

    private mutating func afterConfirming(_ introduction: Introduction?, _ event: Event) -> Next {
        guard case .done = event else { return finish(.failure(failure(of: event))) }
        guard let introduction else { return finish(.success(())) }
        return enter(.introducing, .introduce(introduction.username, introduction.issued))
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

    private mutating func enter(_ next: State, _ effect: Effect) -> Next {
        state = next
        return .perform(effect)
    }

    private mutating func report(_ failure: CeremonyFailure, _ validated: ValidatedRequest) -> Next {
        enter(.reporting(failure), .report(validated.response(nil), failure))
    }

    private mutating func finish(_ result: Result<Void, CeremonyFailure>) -> Next {
        state = .finished(result)
        return .finish(result)
    }
}
