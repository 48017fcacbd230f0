import ServerCore

/// Answers to requests that may come again (`Idempotency-Key`): each is given once, and then repeated for a day.
struct IdempotentAnswers: Sendable {
    let transactions: any OpenIDTransactionRunner
    let seal: OpenIDSeal
    let clock: any WallClock

    /// Finding about a request.
    enum Finding: Sendable, Hashable {
        /// It is the first, and to be answered now.
        case first
        case answered(IdempotentRequest.Answer)
        case inProgress
        /// Another request came with the key.
        case reused
    }

    /// Takes the key of a request, or says what became of the one before; of requests at the same time one is first.
    func begin(_ call: IdempotentCall) async throws(ServerError) -> Finding {
        let now = clock.now()
        let request = IdempotentRequest(key: call.key, content: call.content, createdAt: now)
        return try await transactions.transaction { transaction throws(ServerTransactionFailure) -> Finding in
            if let old = try transaction.idempotentRequest(request.key), old.answer != nil,
                old.createdAt + IdempotentRequest.memory <= now
            {
                try transaction.answer(request.key, with: nil)
            }
            if try transaction.insert(request, replacingMadeBefore: now - IdempotentRequest.patience) { return .first }
            guard let old = try transaction.idempotentRequest(request.key) else { return .inProgress }
            guard old.content == request.content else { return .reused }
            return old.answer.map(Finding.answered) ?? .inProgress
        }
    }

    /// Keeps the answer to a request, sealed as it may hold a redeem token; nil forgets the request.
    func finish(_ call: IdempotentCall, with answer: RelyingPartyAnswer?) async throws(ServerError) {
        let kept = try answer.map { answer throws(ServerError) in
            IdempotentRequest.Answer(
                status: answer.status, sealedBody: try seal.seal(answer.body, as: .answer, for: call.key.octets))
        }
        let key = call.key
        try await transactions.transaction { transaction throws(ServerTransactionFailure) in
            try transaction.answer(key, with: kept)
        }
    }

    /// The answer that was kept; nil when it cannot be opened any more.
    func opened(_ answer: IdempotentRequest.Answer, of call: IdempotentCall) throws(ServerError) -> RelyingPartyAnswer?
    {
        try seal.open(answer.sealedBody, as: .answer, for: call.key.octets).map {
            RelyingPartyAnswer(status: answer.status, body: $0)
        }
    }
}
