package import BackendAPI
import RelyingParty
package import ServerCore
import UAF

/// Judges the answers of phones to requests for registrations, and registers credentials.
package struct RegistrationResponseService: Sendable {
    let maximumCredentialCount: Int
    let acceptance: AcceptanceService
    let opener: ResponseOpener
    let committer: OutcomeCommitter
    let applications: AppAttestationVerification
    let targets: TargetAttachmentVerification
    let credentials: any CredentialRepository
    let random: any RandomSource
    let log: ServiceLog

    /// Judges the phone's answer and stores the credential; the result is durable when this returns.
    ///
    /// Throws ``ServerError/clockSkewTooBig`` and ``ServerError/storageUnavailable``, which are HTTP statuses.
    package func acceptResponse(
        _ response: SendUAFResponse, client: ClientContext
    ) async throws(ServerError) -> AcceptedAnswer {
        do throws(ServerError) {
            let target = try await accept(response, opener.report(in: response, from: client, of: .registration))
            return AcceptedAnswer(ServerResponse(statusCode: .ok, dispatchTarget: target))
        } catch {
            return AcceptedAnswer(
                ServerResponse(statusCode: try log.answerStatusCode(of: error, in: "registration response")))
        }
    }

    private func accept(
        _ response: SendUAFResponse, _ report: DeviceReport
    ) async throws(ServerError) -> CreatedDispatchTarget? {
        let acceptance = acceptance.current
        let verification = RegistrationVerification(settings: opener.rules.settings(acceptance))
        let received = try opener.addressed(from: report.client) { () throws(RelyingPartyError) in
            try verification.received(Array(response.uafResponse.utf8))
        }
        let ceremony = try await opener.open(
            received.serverData, as: .registration, reported: report, withHolder: true)
        let offer = try offer(ceremony, by: acceptance.composer)
        let addressed = try opener.addressed(from: report.client) { () throws(RelyingPartyError) in
            try verification.addressed(received, to: offer)
        }
        let verified = try await verified(addressed, ceremony, by: verification)
        let stated = ceremony.statedResponse(
            Array(response.uafResponse.utf8), under: acceptance.applications,
            where: verified.onlyCredential.map { key in { acceptance.models.takes(key, $0) } })
        let application = try await application(
            verified, ceremony, challengeHash: received.challengeHash, in: stated)
        let attachment = try await attachment(received, ceremony)
        var outcome = try outcome(verified, ceremony, attachment?.link)
        outcome.application = application
        try await committer.commit(outcome)
        return attachment?.identifiers
    }

    /// The credentials that stand; a rule that is broken ends the ceremony.
    private func verified(
        _ addressed: AddressedRegistration, _ ceremony: OpenCeremony, by verification: RegistrationVerification
    ) async throws(ServerError) -> VerifiedRegistration {
        var registered: Set<CredentialID> = []
        for id in addressed.claimedCredentials where try await credentials.credential(id) != nil {
            registered.insert(id)
        }
        do throws(RelyingPartyError) {
            return try await verification.verified(
                addressed, challenge: ceremony.challenge, registered: registered, at: ceremony.answeredAt.moment)
        } catch {
            throw try await committer.refuse(
                ceremony,
                with: OpenCeremony.Refusal(
                    status: error.status, reason: error.auditReason, kind: .registrationFailed))
        }
    }

    /// The application that the phone states; a statement that does not hold ends the ceremony, and so does one that is
    /// missing where it is demanded.
    private func application(
        _ verified: VerifiedRegistration, _ ceremony: OpenCeremony, challengeHash: [UInt8],
        in response: AppAttestationVerification.Response
    ) async throws(ServerError) -> AttestedApplication? {
        do throws(AppAttestationVerification.Failure) {
            return try await applications.application(
                registering: verified, challengeHash: challengeHash, in: response)
        } catch {
            throw try await committer.refuse(ceremony, for: error)
        }
    }

    /// The dispatch target that the phone proposes; a proof that does not hold ends the ceremony.
    private func attachment(
        _ received: ReceivedRegistration, _ ceremony: OpenCeremony
    ) async throws(ServerError) -> TargetAttachment? {
        guard let proposal = ceremony.report.context.dispatchTarget, let userID = ceremony.state.userID else {
            return nil
        }
        do throws(ServerError) {
            return try await targets.attachment(proposal, of: userID, challengeHash: received.challengeHash)
        } catch {
            if error.isWithoutVerdict { throw error }
            let refused = try await committer.refuse(
                ceremony,
                with: OpenCeremony.Refusal(
                    status: .unacceptableContent, reason: "dispatchTargetProof", kind: .registrationFailed,
                    isSigned: true))
            throw error == .clockSkewTooBig ? error : refused
        }
    }

    /// The request that was sent, composed again from the policy's revision and the credentials of that time.
    private func offer(
        _ ceremony: OpenCeremony, by composer: PolicyComposer
    ) throws(ServerError) -> RegistrationOffer {
        guard let userID = ceremony.state.userID else { throw .refused(.unacceptableContent) }
        let existing = (ceremony.holder?.credentials ?? []).filter { $0.registeredAt <= ceremony.state.issuedAt }
        let policy = composer.registration(
            ceremony.policy ?? Policy(accepted: []), existing: existing.map(\.id))
        return RegistrationOffer(
            request: ceremony.sentRequest(under: policy), account: AccountReference(userID.octets),
            keyAttestation: ceremony.state.keyAttestation.rule)
    }

    private func outcome(
        _ verified: VerifiedRegistration, _ ceremony: OpenCeremony, _ target: TargetLink?
    ) throws(ServerError) -> CeremonyOutcome {
        guard let userID = ceremony.state.userID else { throw .refused(.unacceptableContent) }
        for credential in verified.credentials where credential.isIncreasedRisk {
            log.increasedRisk(of: credential.id.aaid, user: userID)
        }
        let credentials = verified.credentials.map { credential in
            VerifiedCredential(
                credential, of: userID, at: ceremony.answeredAt, as: RegistrationID(from: random), on: target?.id)
        }
        var event = ceremony.event(.registrationSucceeded, user: userID)
        event.credential = credentials.first?.credential.id
        event.statusCode = .ok
        var outcome = CeremonyOutcome(
            ending: ceremony, effect: .register(credentials, of: userID, limit: maximumCredentialCount), event: event)
        outcome.target = target
        outcome.evidence = ceremony.state.evidence
        outcome.prove(credentials.map(\.proved))
        return outcome
    }
}

extension RelyingPartyError {
    /// The rule that is broken, in the words of the audit, with the cause where the evidence of a chip does not hold.
    fileprivate var auditReason: String {
        guard case .keyAttestation(let refusal) = reason else { return rule.description }
        return "\(rule): \(refusal.word)"
    }
}

extension PolicyCatalog.KeyAttestation {
    fileprivate var rule: KeyAttestationRule {
        switch self {
        case .ignored: .ignored
        case .verified: .verifiedWhenStated
        case .required: .required
        }
    }
}
