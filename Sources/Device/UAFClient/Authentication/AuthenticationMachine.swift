import Octets
import UAF

/// State machine of an authentication, with or without a transaction (FIDO UAF Protocol 1.1 section 3.5.7).
package struct AuthenticationMachine<Values: CarriedValues>: OperationMachine, ~Copyable {
    typealias Next = Step<Effect, Output, CeremonyFailure>

    enum State {
        /// The keys of the device are being read.
        case loading
        case requesting(DeviceContext)
        /// The facet list of the request is being checked; the user is not involved yet.
        case checkingFacet(DeviceContext, AuthenticationRequest, QuestionLimit)
        /// Keys that the server turned out to know are becoming visible.
        case promoting([AccountCandidate])
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
        case sending(Answer, RetrySchedule)
        /// The server has postponed its answer (status 1202); the response is sent again after the wait.
        case waiting(Answer, RetrySchedule)
        /// A key that can never work again is being marked.
        case marking(CeremonyFailure, ValidatedRequest?)
        /// The reason why there will be no response is being reported to the server.
        case reporting(CeremonyFailure)
    }

    let parameters: Parameters
    var progress = Progress<State, Effect, Output, CeremonyFailure>()

    package init(_ parameters: Parameters) { self.parameters = parameters }

    package mutating func start() -> Step<Effect, Output, CeremonyFailure> {
        guard progress.isIdle else { return resume(.canceled) }
        do throws(CeremonyFailure) {
            switch parameters.subject {
            case .user(let name): _ = try AccountName.required(name)
            case .anyUser(_, _, let server):
                guard parameters.hasAccountSelector else {
                    throw .wrongUse(CeremonyFault.missingParameter("accountSelector"))
                }
                guard server.isSecure else { throw .network(CeremonyFault.insecureAddress) }
            }
            guard parameters.hasSelector else {
                throw .wrongUse(CeremonyFault.missingParameter("authenticatorSelector"))
            }
            guard !parameters.verifiable.isEmpty else {
                throw .wrongUse(CeremonyFault.missingParameter("pinUserVerifier"))
            }
            return progress.enter(.loading, .loadDevice)
        } catch {
            return progress.fail(error)
        }
    }

    package mutating func resume(_ event: Event) -> Step<Effect, Output, CeremonyFailure> {
        guard let state = progress.state else { return progress.stay(event.failure) }
        return switch state {
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
        case .reporting(let failure): progress.fail(failure)
        }
    }

    // MARK: - Before the user is involved

    private mutating func afterLoading(_ event: Event) -> Next {
        guard case .device(let device) = event else { return progress.fail(event.failure) }
        do throws(CeremonyFailure) {
            switch parameters.subject {
            case .user(let name):
                let username = try AccountName.required(name)
                let deviceContext = try DeviceContext(username, on: device)
                return progress.enter(
                    .requesting(deviceContext),
                    .fetchRequest(username, deviceContext.server, isBound: deviceContext.scope.isBound))
            case .anyUser(let request, let expiry, let server):
                let deviceContext = DeviceContext(beganBy: server, on: device)
                return checkFacet(deviceContext, request, QuestionLimit(expiry: expiry))
            }
        } catch {
            return progress.fail(error)
        }
    }

    private mutating func afterRequest(_ deviceContext: DeviceContext, _ event: Event) -> Next {
        guard case .request(let answer) = event else { return progress.fail(event.failure) }
        guard case .request(let request, let expiry) = answer else { return progress.fail(answer.failure) }
        return checkFacet(deviceContext, request, QuestionLimit(expiry: expiry))
    }

    private mutating func checkFacet(
        _ deviceContext: DeviceContext, _ request: AuthenticationRequest, _ limit: QuestionLimit
    ) -> Next {
        progress.enter(.checkingFacet(deviceContext, request, limit), .checkFacet(request.header))
    }

    private mutating func afterFacet(
        _ deviceContext: DeviceContext, _ request: AuthenticationRequest, _ limit: QuestionLimit, _ event: Event
    ) -> Next {
        guard case .facet(let verdict) = event else { return progress.fail(event.failure) }
        guard case .trusted(let facet) = verdict else { return progress.fail(verdict.failure) }
        var validated = ValidatedRequest(
            deviceContext: deviceContext, request: request, facet: facet, limit: limit, exchange: parameters.exchange)
        do throws(CeremonyFailure) {
            validated.transaction = request.transactions.isEmpty ? nil : try TransactionText(request.transactions)
            let candidates = try validated.candidates(parameters.verifiable)
            guard parameters.linking == nil || parameters.hasChannelLinker else {
                throw .wrongUse(CeremonyFault.missingParameter("channelLinker"))
            }
            return promote(candidates)
        } catch {
            return report(error, validated)
        }
    }

    /// Keys that the server names although their registration was never answered are there for the user to choose.
    ///
    /// Keys that would replace another one wait until the user has chosen them.
    private mutating func promote(_ candidates: [AccountCandidate]) -> Next {
        let pending = candidates.flatMap(\.promotable)
        return pending.isEmpty ? choose(candidates) : progress.enter(.promoting(candidates), .promote(pending))
    }

    private mutating func afterPromotion(_ candidates: [AccountCandidate], _ event: Event) -> Next {
        guard case .done = event else { return report(event.failure, candidates[0].validated) }
        return choose(candidates)
    }

    // MARK: - Steps

    mutating func report(_ failure: CeremonyFailure, _ validated: ValidatedRequest) -> Next {
        progress.enter(
            .reporting(failure), .report(validated.response(nil), validated.deviceContext.server, failure))
    }

    private mutating func afterMarking(_ failure: CeremonyFailure, _ validated: ValidatedRequest?) -> Next {
        if let validated { report(failure, validated) } else { progress.fail(failure) }
    }
}
