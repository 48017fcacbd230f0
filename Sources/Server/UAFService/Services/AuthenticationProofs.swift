import RelyingParty
import ServerCore
import UAF

/// Proofs that a user takes away from an authentication: a token, and a session where logins have one.
struct AuthenticationProofs: Sendable {
    let settings: SessionSettings
    let tokens: TokenService
    let sessions: SessionService
    /// The time of day, for readers of a token.
    let wall: any WallClock

    /// A session to be stored with the outcome, and its cookie; nil where the operator wants none, and for a
    /// transaction, which is no login.
    func session(
        of user: UserID, for verified: VerifiedAuthentication, evidence: RequestAuthorization.Evidence
    ) -> (cookie: SessionCookie, session: Session)? {
        guard settings.isEnabled, verified.confirmedTransaction == nil else { return nil }
        return sessions.draft(for: user, method: .fidoUAF, evidence: evidence)
    }

    /// The token that states the outcome of a ceremony, once that is durable.
    func token(
        of user: User, for verified: VerifiedAuthentication, in ceremony: CeremonyID,
        evidence: RequestAuthorization.Evidence
    ) throws(ServerError) -> String {
        try tokens.issue(
            TokenProof(
                user: user, aaid: verified.uses.first?.id.aaid, ceremonyID: ceremony,
                transaction: verified.confirmedTransaction, authenticatedAt: wall.now(), evidence: evidence))
    }
}
