import ServerCore

/// Answers to the polls of clients: each request is answered with tokens once (CIBA Core 1.0, 11).
struct BackchannelPolling: Sendable {
    /// Least time between polls, and what each `slow_down` adds (7.3, 11).
    static let step: Duration = .seconds(5)

    let grants: any GrantIssuer
    let confirmations: any ConfirmationService
    let transactions: any OpenIDTransactionRunner
    let clock: any WallClock

    /// Finding about a poll, before the phone's answer is looked at.
    private enum Finding: Sendable {
        case refused(OpenIDRefusal)
        case due(BackchannelRequest)
    }

    /// Tokens for a confirmed request of the client; throws what the standard says of every other.
    func answer(
        to id: BackchannelRequestHash, of client: RegisteredClient, with proof: KeyProof?
    ) async throws(OpenIDRefusal) -> [UInt8] {
        let request = try await due(id, of: client, with: proof)
        switch try await state(of: request) {
        case .waiting, .shown: throw OpenIDRefusal(.authorizationPending)
        case .denied: throw OpenIDRefusal(.accessDenied)
        case .expired, .unknown: throw OpenIDRefusal(.expiredToken)
        case .confirmed(let confirmation):
            return try await tokens(for: request, confirmation, to: client, boundTo: proof?.key)
        }
    }

    /// The request, when it may be polled now; polls of one request are judged one after the other.
    private func due(
        _ id: BackchannelRequestHash, of client: RegisteredClient, with proof: KeyProof?
    ) async throws(OpenIDRefusal) -> BackchannelRequest {
        let (now, name) = (clock.now(), client.id)
        let finding = try await stored { transaction throws(ServerTransactionFailure) -> Finding in
            // The row is held from here on; nothing else is, so that no order of holding matters.
            guard var request = try transaction.backchannelRequest(id), request.client == name,
                request.stage != .delivered
            else {
                return .refused(
                    OpenIDRefusal(
                        .invalidGrant,
                        cause: "the client has no request with this auth_req_id, or got its answer before"))
            }
            guard try proof?.isFirst(in: transaction, at: now) != false else {
                return .refused(OpenIDRefusal(.invalidDPoPProof, cause: KeyProof.isRepeated))
            }
            guard now < request.expiresAt || request.stage == .confirmed else {
                return .refused(OpenIDRefusal(.expiredToken))
            }
            let isEarly = request.polledAt.map { now < $0 + request.interval } ?? false
            request.polledAt = now
            if isEarly { request.interval += Self.step }
            guard try transaction.advance(request, from: request.stage) else {
                return .refused(OpenIDRefusal(.invalidGrant))
            }
            guard isEarly else { return .due(request) }
            return .refused(
                OpenIDRefusal(.slowDown, retryAfter: Int(clamping: request.interval.components.seconds)))
        }
        switch finding {
        case .refused(let refusal): throw refusal
        case .due(let request): return request
        }
    }

    private func state(of request: BackchannelRequest) async throws(OpenIDRefusal) -> ConfirmationState {
        do throws(ServerError) {
            return try await confirmations.state(
                of: request.ceremony, for: .client(request.client), unlike: nil, atMost: .zero)
        } catch {
            throw .outage
        }
    }

    /// Takes the only answer of the request first, and gives it back when no tokens could be made.
    private func tokens(
        for request: BackchannelRequest, _ confirmation: Confirmation, to client: RegisteredClient,
        boundTo key: ClientKeyThumbprint?
    ) async throws(OpenIDRefusal) -> [UInt8] {
        // The subscriber of the audit may have noted the end meanwhile.
        var isTaken = try await move(request, from: .pending, to: .delivered)
        if !isTaken { isTaken = try await move(request, from: .confirmed, to: .delivered) }
        guard isTaken else { throw OpenIDRefusal(.invalidGrant) }
        do throws(ServerError) {
            return try await grants.issue(
                to: client, for: confirmation, scopes: request.scopes, key: key, requestID: nil
            ).body
        } catch .unauthorized {
            throw OpenIDRefusal(.accessDenied)
        } catch {
            _ = try await move(request, from: .delivered, to: .confirmed)
            throw .outage
        }
    }

    private func move(
        _ request: BackchannelRequest, from known: BackchannelRequest.Stage, to stage: BackchannelRequest.Stage
    ) async throws(OpenIDRefusal) -> Bool {
        var moved = request
        moved.stage = stage
        let row = moved
        return try await stored { transaction throws(ServerTransactionFailure) in
            try transaction.advance(row, from: known)
        }
    }

    private func stored<Value: Sendable>(
        _ body: @escaping OpenIDTransactionBody<Value>
    ) async throws(OpenIDRefusal) -> Value {
        do throws(ServerError) {
            return try await transactions.transaction(body)
        } catch {
            throw .outage
        }
    }
}
