package import UAF

/// State machine of an out-of-band ceremony: pure, and the same wherever it runs.
///
/// A final state never changes. A time-out takes effect at its time, even when no process has recorded it.
package struct CeremonyMachine: Sendable, Hashable {
    package let operation: OperationKind
    package private(set) var progress: CeremonyProgress

    /// Goes on from a stored state, as it stands at `now`.
    package init(_ operation: OperationKind, _ progress: CeremonyProgress, at now: Timestamp) {
        self.operation = operation
        self.progress = progress
        guard !progress.status.isFinal, now >= progress.expiresAt else { return }
        fail(.timedOut, at: progress.expiresAt)
    }

    /// The phone redeems the token.
    ///
    /// A deregistration is done with that; the others wait for the answer until `answerExpiresAt`.
    package mutating func redeem(at now: Timestamp, answerExpiresAt: Timestamp) throws(RedeemRefusal) {
        guard progress.status == .tokenCreated else { throw redeemRefusal }
        progress.status =
            switch operation {
            case .registration: .clientRegistering
            case .authentication: .clientAuthenticating
            case .deregistration: .succeeded
            }
        progress.changedAt = now
        progress.expiresAt = answerExpiresAt
        progress.tokenResult = .tokenRedeemed
    }

    package mutating func succeed(_ answer: CeremonyProgress.Answer, at now: Timestamp) throws(CommitRefusal) {
        try requireAwaitingAnswer()
        progress.status = .succeeded
        progress.changedAt = now
        progress.answer = answer
    }

    /// The phone's answer was refused, or says that the operation ended there.
    package mutating func fail(_ answer: CeremonyProgress.Answer, at now: Timestamp) throws(CommitRefusal) {
        try requireAwaitingAnswer()
        fail(.answered, at: now)
        progress.answer = answer
    }

    /// The ceremony ends without an answer; nothing happens to one that has ended.
    package mutating func cancel(_ failure: CeremonyProgress.Failure, at now: Timestamp) {
        guard !progress.status.isFinal else { return }
        fail(failure, at: now)
    }

    /// Throws ``CommitRefusal/operationEnded`` unless the phone has the request and may still answer it.
    package func requireAwaitingAnswer() throws(CommitRefusal) {
        switch progress.status {
        case .clientRegistering, .clientAuthenticating: return
        case .tokenCreated, .succeeded, .failed: throw .operationEnded
        }
    }

    private mutating func fail(_ failure: CeremonyProgress.Failure, at time: Timestamp) {
        if failure == .timedOut && progress.status == .tokenCreated { progress.tokenResult = .tokenTimedOut }
        progress.status = .failed
        progress.changedAt = time
        progress.failure = failure
    }

    private var redeemRefusal: RedeemRefusal {
        switch progress.tokenResult {
        case .tokenRedeemed: .alreadyRedeemed
        case .tokenTimedOut: .expired
        case nil: .cancelled
        }
    }
}
