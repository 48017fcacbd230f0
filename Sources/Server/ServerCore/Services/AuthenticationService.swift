package import BackendAPI
import RelyingParty
import UAF

/// Authenticates users, with or without a transaction to confirm.
package struct AuthenticationService: Sendable {
    private let settings: ServerSettings
    private let acceptance: AcceptanceService
    private let policies: AuthenticationPolicyComposer
    private let issuer: ChallengeIssuer
    private let opener: ResponseOpener
    private let committer: OutcomeCommitter
    private let verificationKeys: VerificationKeys
    private let transactions: any ServerTransactionRunner
    private let credentials: any CredentialRepository
    private let keys: KeyService
    private let tokens: TokenService
    private let sessions: SessionService
    private let wall: any WallClock
    private let log: ServiceLog

    init(
        settings: ServerSettings, acceptance: AcceptanceService, policies: AuthenticationPolicyComposer,
        issuer: ChallengeIssuer, opener: ResponseOpener, committer: OutcomeCommitter,
        verificationKeys: VerificationKeys, transactions: any ServerTransactionRunner,
        credentials: any CredentialRepository, keys: KeyService, tokens: TokenService, sessions: SessionService,
        wall: any WallClock, log: ServiceLog
    ) {
        self.settings = settings
        self.acceptance = acceptance
        self.policies = policies
        self.issuer = issuer
        self.opener = opener
        self.committer = committer
        self.verificationKeys = verificationKeys
        self.transactions = transactions
        self.credentials = credentials
        self.keys = keys
        self.tokens = tokens
        self.sessions = sessions
        self.wall = wall
        self.log = log
    }

    // MARK: - Request

    /// Answers a request for an authentication; nothing is stored.
    ///
    /// With a user name (in the context, or that of the authorization) only the credentials of that user may answer;
    /// without one any registered credential may. A context that cannot be read, an unknown policy or an unacceptable
    /// transaction yields status 1400. Throws ``ServerError/unauthorized`` when the authorization is invalid.
    package func issueRequest(
        _ request: GetUAFRequest, entry: AuthenticationEntry, authorization: RequestAuthorization,
        client: ClientContext
    ) async throws(ServerError) -> IssuedRequest {
        do throws(ServerError) {
            let requestContext = try request.readContext(as: AuthenticationContext.self)
            for transaction in requestContext.transactions { try settings.uaf.requireAcceptable(transaction) }
            let acceptance = acceptance.current
            guard requestContext.transactions.count <= CeremonyState.transactionLimit,
                let policy = acceptance.policy(named: requestContext.policy)
            else { throw .refused(.badRequest) }
            let target = try await self.target(requestContext.username, authorization)
            let cookie = entry == .login ? sessions.bindingCookie() : nil
            return try await issue(
                for: target,
                content: RequestContent(policy: policy, transactions: requestContext.transactions, cookie: cookie),
                composer: acceptance.composer, client: client)
        } catch {
            return IssuedRequest(
                ReturnUAFRequest(
                    statusCode: try log.statusCode(of: error, in: "authentication request", authorization, client)))
        }
    }

    /// Makes the request that an out-of-band operation asks for; throws the status that ends it.
    ///
    /// An operation for a device that holds credentials of the user can be answered with those only.
    func issueRequest(
        for operation: OutOfBandCeremony, of holder: CredentialHolder?, client: ClientContext
    ) async throws(ServerError) -> ReturnUAFRequest {
        let requestContext = try operation.readContext(as: AuthenticationContext.self)
        let acceptance = acceptance.current
        guard let policy = acceptance.policy(named: requestContext.policy) else { throw .refused(.badRequest) }
        var target = AuthenticationTarget.anyone
        if let id = operation.userID {
            guard let holder else { throw .refused(.notFound) }
            guard holder.user.status == .active else { throw .refused(.forbidden) }
            target = .user(id, holder.credentials(on: operation.targetID))
        }
        return try await issue(
            for: target,
            content: RequestContent(
                policy: policy, transactions: requestContext.transactions, operationID: operation.id),
            composer: acceptance.composer, client: client
        ).message
    }

    /// Addressee of the request.
    private func target(
        _ name: UserName?, _ authorization: RequestAuthorization
    ) async throws(ServerError) -> AuthenticationTarget {
        let granted: User?
        switch authorization {
        case .invalid: throw .unauthorized
        case .absent: granted = nil
        case .granted(let grant): granted = grant.user
        }
        guard let name else {
            guard let granted else { return .anyone }
            return .user(granted.id, try await credentials.credentials(of: granted.id))
        }
        let holder = try await credentials.holder(named: name)
        if let granted {
            guard holder?.user.id == granted.id else { throw .refused(.unauthorized) }
        }
        // Made for everybody, so that the time does not tell who has an account.
        let decoy = try keys.decoy().userID(named: name)
        if let holder { return .user(holder.user.id, holder.credentials) }
        guard settings.uaf.hidesUnknownUsers else { throw .refused(.notFound) }
        return .user(decoy, [])
    }

    /// Content of the request, beside its addressee.
    private struct RequestContent {
        let policy: NamedPolicy
        let transactions: [Transaction]
        var cookie: SessionCookie?
        var operationID: CeremonyID?
    }

    private func issue(
        for target: AuthenticationTarget, content: RequestContent, composer: PolicyComposer, client: ClientContext
    ) async throws(ServerError) -> IssuedRequest {
        let transactions = content.transactions
        let composed = try policies.requestedPolicy(
            content.policy.policy, for: target, needsDisplay: !transactions.isEmpty, by: composer)
        guard let composed else { throw .refused(.notFound) }
        let draft = ChallengeIssuer.Draft(
            kind: .authentication, userID: target.userID, policy: content.policy,
            transactions: transactions.map { TransactionHash(of: $0.content) }, cookieHash: content.cookie?.hash,
            operationID: content.operationID, exchange: client.exchange)
        let (header, challenge) = try issuer.issue(draft)
        let message = AuthenticationRequest(
            header: header, challenge: challenge, transactions: transactions, policy: composed)
        log.requested(
            transactions.isEmpty ? "AUTHENTICATION_REQUESTED" : "TRANSACTION_REQUESTED", user: target.userID, client)
        return IssuedRequest(issuer.message(.authentication(message)), cookie: content.cookie)
    }

    // MARK: - Response

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
        let claimed = try await claimed(addressed.claimedCredentials, ceremony)
        let verified: VerifiedAuthentication
        do throws(RelyingPartyError) {
            verified = try verification.verified(
                addressed, challenge: ceremony.challenge,
                registered: claimed.credentials.compactMap { $0.stored(verificationKeys) })
        } catch {
            let credential = claimed.credentials.first { addressed.claimedCredentials.contains($0.id) }
            throw try await committer.refuse(
                ceremony, with: OpenCeremony.Refusal(error, in: ceremony.state, credential: credential))
        }
        return try await conclude(verified, ceremony, claimed)
    }

    /// The request that was sent, composed again from the policy's revision and the credentials of that time.
    private func offer(
        _ ceremony: OpenCeremony, by composer: PolicyComposer
    ) throws(ServerError) -> AuthenticationOffer {
        let (state, holder) = (ceremony.state, ceremony.holder)
        let policy = try policies.sentPolicy(
            ceremony.policy ?? Policy(accepted: []),
            for: state.userID.map { .user($0, holder?.credentials(on: ceremony.operation?.targetID) ?? []) } ?? .anyone,
            at: state.issuedAt, needsDisplay: !state.transactions.isEmpty, by: composer)
        return AuthenticationOffer(
            request: ceremony.sentRequest(under: policy ?? Policy(accepted: [])),
            account: state.userID.map { AccountReference($0.octets) },
            transactionHashes: state.transactions.map(\.octets), issuedAt: state.issuedAt.moment)
    }

    /// Credentials that a response may have been made with, and their owners.
    private struct Claimed: Sendable {
        var credentials: [RegisteredCredential]
        var owners: [UserID: User]
    }

    /// Every credential with one of the KeyIDs, of whatever model and user.
    ///
    /// If the user who was asked holds all that are claimed, nobody else's can change the verdict.
    private func claimed(_ ids: [CredentialID], _ ceremony: OpenCeremony) async throws(ServerError) -> Claimed {
        let holder = ceremony.holder
        let own = holder?.credentials.filter { $0.registeredAt <= ceremony.state.issuedAt } ?? []
        if let holder, ids.allSatisfy({ id in own.contains { $0.id == id } }) {
            return Claimed(
                credentials: own.filter { ids.map(\.keyID).contains($0.id.keyID) },
                owners: [holder.user.id: holder.user])
        }
        let keys = Set(ids.map(\.keyID))
        guard !keys.isEmpty else { return Claimed(credentials: [], owners: [:]) }
        return try await transactions.read { snapshot throws(ServerTransactionFailure) in
            var claimed = Claimed(credentials: [], owners: [:])
            for key in keys { claimed.credentials += try snapshot.credentials(withKey: key) }
            for id in Set(claimed.credentials.map(\.userID)) { claimed.owners[id] = try snapshot.user(id) }
            return claimed
        }
    }

    /// Commits a success and then, only then, makes what the user may take away.
    private func conclude(
        _ verified: VerifiedAuthentication, _ ceremony: OpenCeremony, _ claimed: Claimed
    ) async throws(ServerError) -> AcceptedAnswer {
        // Whether the account is still active is judged once more by the statement that commits.
        guard let userID = UserID(verified.account.octets), let user = claimed.owners[userID], user.status == .active
        else {
            throw try await committer.refuse(
                ceremony,
                with: OpenCeremony.Refusal(
                    status: .forbidden, reason: CommitRefusal.userInactive.rawValue,
                    kind: ceremony.state.failureKind, isSigned: true))
        }
        for use in verified.uses where use.isIncreasedRisk { log.increasedRisk(of: use.id.aaid, user: userID) }
        let uses = try ceremony.uses(in: verified)
        let evidence = RequestAuthorization.Evidence(
            authenticatedAt: user.authenticationTime(at: ceremony.answeredAt), registrations: uses.map(\.registrationID)
        )
        let grantsSession = settings.sessions.isEnabled && verified.confirmedTransaction == nil
        let session = grantsSession ? sessions.draft(for: userID, method: .fidoUAF, evidence: evidence) : nil
        var outcome = ceremony.success(verified, uses, user: user, session: session?.session)
        outcome.evidence = evidence
        try await committer.commit(outcome)
        let token = try tokens.issue(
            TokenProof(
                user: user, aaid: verified.uses.first?.id.aaid, ceremonyID: ceremony.state.id,
                transaction: verified.confirmedTransaction, authenticatedAt: wall.now(),
                evidence: evidence))
        return AcceptedAnswer(
            ServerResponse(statusCode: .ok, additionalTokens: [Token(type: .jwt, value: token)]),
            cookie: session?.cookie)
    }
}
