import ServerCore

/// Answers to the polls of clients: each request is answered with tokens once (CIBA Core 1.0, 11).
struct BackchannelPolling: Sendable {
    /// Least time between polls, and what each `slow_down` adds (7.3, 11).
    static let step: Duration = .seconds(5)

    let grants: any GrantIssuer
    let confirmations: any ConfirmationService
    let transactions: any OpenIDTransactionRunner
    let clock: any WallClock

    /// Verdict of a transaction, which keeps what it has written in either case.
    private enum Verdict: Sendable {
        case granted(StoredGrant, of: BackchannelRequest)
        case refused(OpenIDRefusal)
    }

    /// Tokens for a confirmed request of the client; throws what the standard says of every other.
    ///
    /// One transaction judges the poll, takes the only answer of the request and stores its tokens; polls of one request are
    /// judged one after the other.
    func answer(
        to id: BackchannelRequestHash, of client: RegisteredClient, with proof: KeyProof?
    ) async throws(OpenIDRefusal) -> [UInt8] {
        let verdict: Verdict
        do throws(ServerError) {
            let draft = try await grants.draft(for: client, key: proof?.key, requestID: nil)
            verdict = try await transactions.transaction { transaction throws(ServerTransactionFailure) in
                try self.verdict(on: id, draft, proof, in: transaction)
            }
        } catch {
            throw .outage
        }
        switch verdict {
        case .refused(let refusal): throw refusal
        case .granted(let stored, let request): return try await tokens(stored, of: request)
        }
    }

    private func verdict(
        on id: BackchannelRequestHash, _ draft: GrantDraft, _ proof: KeyProof?, in transaction: any OpenIDTransaction
    ) throws(ServerTransactionFailure) -> Verdict {
        let now = clock.now()
        // The row is held from here on.
        guard var request = try transaction.backchannelRequest(id), request.client == draft.client.id,
            request.stage != .delivered
        else {
            return .refused(
                OpenIDRefusal(
                    .invalidGrant, cause: "the client has no request with this auth_req_id, or got its answer before"))
        }
        guard try proof?.isFirst(in: transaction, at: now) != false else {
            return .refused(OpenIDRefusal(.invalidDPoPProof, cause: KeyProof.isRepeated))
        }
        guard now < request.expiresAt || request.stage == .confirmed else {
            return .refused(OpenIDRefusal(.expiredToken))
        }
        let known = request.stage
        let isEarly = request.polledAt.map { now < $0 + request.interval } ?? false
        request.polledAt = now
        if isEarly { request.interval += Self.step }
        var verdict = Verdict.refused(
            OpenIDRefusal(.slowDown, retryAfter: Int(clamping: request.interval.components.seconds)))
        if !isEarly { verdict = try self.verdict(on: request, draft, in: transaction) }
        if case .granted = verdict { request.stage = .delivered }
        guard try transaction.advance(request, from: known) else { return .refused(OpenIDRefusal(.invalidGrant)) }
        return verdict
    }

    /// Verdict on a request that may be polled now, by the phone's answer.
    private func verdict(
        on request: BackchannelRequest, _ draft: GrantDraft, in transaction: any OpenIDTransaction
    ) throws(ServerTransactionFailure) -> Verdict {
        let state = try confirmations.state(of: request.ceremony, for: .client(request.client), in: transaction)
        switch state {
        case .waiting, .shown: return .refused(OpenIDRefusal(.authorizationPending))
        case .denied: return .refused(OpenIDRefusal(.accessDenied))
        case .expired, .unknown: return .refused(OpenIDRefusal(.expiredToken))
        case .confirmed(let confirmation):
            let stored = try grants.store(draft, scopes: request.scopes, for: confirmation, in: transaction)
            guard let stored else { return .refused(OpenIDRefusal(.accessDenied)) }
            return .granted(stored, of: request)
        }
    }

    /// The token response; the request gets its answer back when it cannot be signed.
    private func tokens(
        _ stored: StoredGrant, of request: BackchannelRequest
    ) async throws(OpenIDRefusal) -> [UInt8] {
        do throws(ServerError) {
            return try await grants.answer(stored).body
        } catch {
            var confirmed = request
            confirmed.stage = .confirmed
            let row = confirmed
            _ = try? await transactions.transaction { transaction throws(ServerTransactionFailure) in
                try transaction.advance(row, from: .delivered)
            }
            throw .outage
        }
    }
}
