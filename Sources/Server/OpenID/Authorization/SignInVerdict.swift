package import ServerCore

/// Verdict on whether a proof lets its user in at the provider, in the transaction that lets in.
package enum SignInVerdict: Sendable, Hashable {
    case granted
    /// The proof does not hold any more.
    case ended
    /// The account has a stronger method, or had it until shortly.
    case weaker(AccountStrength.Obstacle)
}

/// Proof of a sign-in, for as long as something rests on it.
package protocol SignInProof {
    var assurance: Assurance { get }
    var evidence: RequestAuthorization.Evidence { get }
}

extension Grant: SignInProof {}
extension BrowserSession: SignInProof {}

extension ServerSnapshot {
    /// Judges a proof of a user: the one place that decides who is let in at the provider.
    ///
    /// A transaction has locked the user before. `wait` is ``OpenIDSettings/Provider/removalWait``; with nil every proof that
    /// holds lets in.
    package func admission(
        by proof: some SignInProof, of user: User, at now: Timestamp, wait: Duration?
    ) throws(ServerTransactionFailure) -> SignInVerdict {
        guard try holds(proof.evidence, of: user) else { return .ended }
        guard let wait else { return .granted }
        let obstacle = try strength(of: user.id).obstacle(to: proof.assurance, at: now, wait: wait)
        return obstacle.map { .weaker($0) } ?? .granted
    }
}

extension OpenIDTransaction {
    /// Judges a grant, and records one that is too weak.
    func admission(
        by grant: Grant, of user: User, at now: Timestamp, wait: Duration?, from context: ClientContext
    ) throws(ServerTransactionFailure) -> SignInVerdict {
        let admission = try admission(by: grant, of: user, at: now, wait: wait)
        if case .weaker(let obstacle) = admission {
            var event = AuditEvent(.weakerMethodRefused, of: grant, by: grant.client, at: now, from: context).about(
                user)
            event.reason = obstacle.method.rawValue
            try append(event)
        }
        return admission
    }
}

extension OpenIDRefusal {
    /// Refusal of a method where the account has a stronger one.
    init(_ obstacle: AccountStrength.Obstacle) {
        let end = obstacle.until.map { "until \($0.iso8601), since it was removed" } ?? "which is registered"
        self.init(
            .unmetAuthenticationRequirements,
            advice: "This account has a stronger method of sign-in: sign in with that one.",
            cause: "the account has the stronger method \(obstacle.method.rawValue), \(end)")
    }
}
