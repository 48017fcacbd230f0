import UAF

/// State machine of a registration (FIDO UAF Protocol 1.1 section 3.4.6).
package struct RegistrationMachine<Values: CarriedValues>: OperationMachine, ~Copyable {
    typealias Next = Step<Effect, Void, CeremonyFailure>

    enum State {
        /// The keys of the device are being read.
        case loading(UserName)
        case requesting(DeviceSnapshot)
        /// The facet list of the request is being checked; the user is not involved yet.
        case checkingFacet(DeviceSnapshot, RegistrationRequest, QuestionLimit)
        /// The user chooses an authenticator.
        case selecting(ValidatedRequest)
        /// The user chooses a secret.
        case enrolling(SelectedAuthenticator, SecretKind)
        /// The chosen secret is being judged.
        case judging(SelectedAuthenticator, SecretKind)
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
    }

    let parameters: Parameters
    var progress = Progress<State, Effect, Void, CeremonyFailure>()

    package init(_ parameters: Parameters) { self.parameters = parameters }

    package mutating func start() -> Step<Effect, Void, CeremonyFailure> {
        guard progress.isIdle else { return resume(.canceled) }
        do throws(CeremonyFailure) {
            return progress.enter(.loading(try parameters.validUsername()), .loadDevice)
        } catch {
            return progress.fail(error)
        }
    }

    package mutating func resume(_ event: Event) -> Step<Effect, Void, CeremonyFailure> {
        guard let state = progress.state else { return progress.stay(event.failure) }
        return switch state {
        case .loading(let username): afterLoading(username, event)
        case .requesting(let device): afterRequest(device, event)
        case .checkingFacet(let device, let request, let limit): afterFacet(device, request, limit, event)
        case .selecting(let validated): afterChoice(validated, event)
        case .enrolling(let selected, let kind): afterSecret(selected, kind, event)
        case .judging(let selected, let kind): afterJudgement(selected, kind, event)
        case .announcing(let selected): afterAnnouncement(selected, event)
        case .creating(let selected): afterCreation(selected, event)
        case .sending(let credential, let username): afterSending(credential, username, event)
        case .confirming(let introduction): afterConfirming(introduction, event)
        case .introducing: progress.finish(.success(()))
        case .discarding(let failure), .reporting(let failure): progress.fail(failure)
        }
    }

    // MARK: - Before the user is involved

    private mutating func afterLoading(_ username: UserName, _ event: Event) -> Next {
        guard case .device(let device) = event else { return progress.fail(event.failure) }
        if let failure = obstacle(username, device) { return progress.fail(failure) }
        guard let received = parameters.received else {
            return progress.enter(
                .requesting(device), .fetchRequest(username, isBound: device.scope(at: parameters.server).isBound))
        }
        return checkFacet(device, received.request, QuestionLimit(expiry: received.expiry))
    }

    private func obstacle(_ username: UserName, _ device: DeviceSnapshot) -> CeremonyFailure? {
        guard !device.scope(at: parameters.server).isForeign(username) else { return .registeredInAnotherServer }
        guard device.record != nil || parameters.deviceInformation != nil else {
            return .wrongUse(CeremonyFault.missingParameter("deviceInformation"))
        }
        return nil
    }

    private mutating func afterRequest(_ device: DeviceSnapshot, _ event: Event) -> Next {
        guard case .request(let answer) = event else { return progress.fail(event.failure) }
        guard case .request(let request, let expiry) = answer else { return progress.fail(answer.failure) }
        do throws(CeremonyFailure) {
            // The server names the account; it may know the user by another name than the application does.
            let username = try AccountName.readable(request.username, asked: parameters.username)
            if let failure = obstacle(username, device) { return progress.fail(failure) }
        } catch {
            return progress.fail(error)
        }
        return checkFacet(device, request, QuestionLimit(expiry: expiry))
    }

    private mutating func checkFacet(
        _ device: DeviceSnapshot, _ request: RegistrationRequest, _ limit: QuestionLimit
    ) -> Next {
        progress.enter(.checkingFacet(device, request, limit), .checkFacet(request.header))
    }

    private mutating func afterFacet(
        _ device: DeviceSnapshot, _ request: RegistrationRequest, _ limit: QuestionLimit, _ event: Event
    ) -> Next {
        guard case .facet(let verdict) = event else { return progress.fail(event.failure) }
        guard case .trusted(let facet) = verdict else { return progress.fail(verdict.failure) }
        let scope = device.scope(at: parameters.server)
        guard !scope.isForeign(facet) else {
            return progress.fail(.fido(.untrustedFacetID, cause: CeremonyFault.foreignAppID))
        }
        let candidates = AuthenticatorCandidates(
            authenticators: device.models, scope: scope, username: request.username, facet: facet)
        let finalChallenge = facet.finalChallenge(
            for: request.challenge, in: scope.binding(for: request.header, in: parameters.exchange))
        func validated(_ accepted: [AuthenticatorCandidates.Registrable]) -> ValidatedRequest {
            ValidatedRequest(request: request, finalChallenge: finalChallenge, limit: limit, accepted: accepted)
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
            return progress.enter(.selecting(validated(accepted)), .selectAuthenticator(question))
        } catch {
            return report(error, validated([]))
        }
    }

    // MARK: - Steps

    mutating func report(_ failure: CeremonyFailure, _ validated: ValidatedRequest) -> Next {
        progress.enter(.reporting(failure), .report(validated.response(nil), failure))
    }
}
