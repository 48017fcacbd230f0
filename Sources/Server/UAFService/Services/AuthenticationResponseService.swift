package import BackendAPI
import RelyingParty
package import ServerCore
import UAF

/// Judges the answers of phones to requests for authentications.
package struct AuthenticationResponseService: Sendable {
    let acceptance: AcceptanceService
    let policies: AuthenticationPolicyComposer
    let opener: ResponseOpener
    let claims: ClaimedCredentialReader
    let committer: OutcomeCommitter
    let applications: AppAttestationVerification
    let proofs: AuthenticationProofs
    let evidence: ConfirmationEvidence
    let log: ServiceLog

    /// Judges the phone's answer; tokens and cookie exist only once the outcome is durable.
    ///
    /// Throws ``ServerError/clockSkewTooBig`` and ``ServerError/storageUnavailable``, which are HTTP statuses.
    package func acceptResponse(
        _ response: SendUAFResponse, client: ClientContext
    ) async throws(ServerError) -> AcceptedAnswer {
        do throws(ServerError) {
            return try await accept(response, opener.report(in: response, from: client, of: .authentication))
        } catch {
            return AcceptedAnswer(
                ServerResponse(statusCode: try log.answerStatusCode(of: error, in: "authentication response")))
        }
    }

    private func accept(
        _ response: SendUAFResponse, _ report: DeviceReport
    ) async throws(ServerError) -> AcceptedAnswer {
        let acceptance = acceptance.current
        let verification = AuthenticationVerification(settings: opener.rules.settings(acceptance))
        let received = try opener.addressed(from: report.client) { () throws(RelyingPartyError) in
            try verification.received(Array(response.uafResponse.utf8))
        }
        let ceremony = try await opener.open(
            received.serverData, as: .authentication, reported: report, withHolder: true)
        let offer = try self.offer(ceremony, by: acceptance.composer)
        let addressed = try opener.addressed(from: report.client) { () throws(RelyingPartyError) in
            try verification.addressed(received, to: offer)
        }
        let claimed = try await claims.credentials(claimed: addressed.claimedCredentials, in: ceremony)
        let verified: VerifiedAuthentication
        do throws(RelyingPartyError) {
            verified = try verification.verified(
                addressed, challenge: ceremony.challenge, registered: claims.stored(claimed))
        } catch {
            let credential = claimed.credentials.first { addressed.claimedCredentials.contains($0.id) }
            throw try await committer.refuse(
                ceremony, with: OpenCeremony.Refusal(error, in: ceremony, credential: credential))
        }
        let only = verified.uses.count == 1 ? verified.uses.first : nil
        let stated = ceremony.statedResponse(
            Array(response.uafResponse.utf8), under: acceptance.applications,
            where: only.map { use in
                {
                    acceptance.models.satisfies(
                        $0, use.id, authenticatorVersion: use.data.info.authenticatorVersion)
                }
            })
        return try await conclude(verified, ceremony, claimed, received, stated)
    }

    /// The request that was sent, composed again from the policy's revision and the credentials of that time.
    private func offer(
        _ ceremony: OpenCeremony, by composer: PolicyComposer
    ) throws(ServerError) -> AuthenticationOffer {
        let state = ceremony.state
        var policy: Policy?
        if let base = ceremony.policy {
            policy = try policies.sentPolicy(
                AuthenticationPolicyComposer.Base(policy: base, hash: state.policyHash),
                for: state.userID.map { .user($0, ceremony.askedCredentials) } ?? .anyone,
                at: state.issuedAt, needsDisplay: !state.transactions.isEmpty, by: composer)
        }
        return AuthenticationOffer(
            request: ceremony.sentRequest(under: policy ?? Policy(accepted: [])),
            account: state.userID.map { AccountReference($0.octets) },
            transactionHashes: state.transactions.map(\.octets), issuedAt: state.issuedAt.moment)
    }

    /// Commits a success and then, only then, makes what the user may take away.
    private func conclude(
        _ verified: VerifiedAuthentication, _ ceremony: OpenCeremony, _ claimed: ClaimedCredentials,
        _ received: ReceivedAuthentication, _ stated: AppAttestationVerification.Response
    ) async throws(ServerError) -> AcceptedAnswer {
        // Whether the account is still active is judged once more by the statement that commits.
        guard let userID = UserID(verified.account.octets), let user = claimed.owners[userID], user.status == .active
        else {
            throw try await committer.refuse(
                ceremony,
                with: OpenCeremony.Refusal(
                    status: .forbidden, reason: CommitRefusal.userInactive.rawValue,
                    kind: ceremony.failureKind, isSigned: true))
        }
        for use in verified.uses where use.isIncreasedRisk { log.increasedRisk(of: use.id.aaid, user: userID) }
        let uses = try ceremony.uses(in: verified)
        let registrations = uses.map(\.registrationID)
        let used = claimed.credentials.filter { registrations.contains($0.registrationID) }
        let login = RequestAuthorization.Evidence(
            authenticatedAt: user.authenticationTime(at: ceremony.answeredAt, with: used), registrations: registrations)
        let session = proofs.session(of: userID, for: verified, evidence: login)
        var outcome = ceremony.success(
            verified, uses, on: used.first?.targetID, user: user, session: session?.session)
        outcome.evidence = login
        outcome.application = try await application(using: uses, ceremony, in: stated)
        outcome.receipt = evidence.evidence(
            of: verified, by: user, in: ceremony, received: received, among: claimed.credentials)
        try await committer.commit(outcome)
        let token = try proofs.token(of: user, for: verified, in: ceremony.state.id, evidence: login)
        return AcceptedAnswer(
            ServerResponse(statusCode: .ok, additionalTokens: [Token(type: .jwt, value: token)]),
            cookie: session?.cookie)
    }

    /// The application that the phone states; a statement that does not hold ends the ceremony, and so does one that is
    /// missing where it is demanded.
    private func application(
        using uses: [CeremonyOutcome.CredentialUse], _ ceremony: OpenCeremony,
        in response: AppAttestationVerification.Response
    ) async throws(ServerError) -> AttestedApplication? {
        do throws(AppAttestationVerification.Failure) {
            return try await applications.application(using: uses.map(\.registrationID), in: response)
        } catch {
            throw try await committer.refuse(ceremony, for: error)
        }
    }
}
