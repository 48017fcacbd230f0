import Octets
import ServerCore

/// Rotation of a refresh token (RFC 6749, 6; OpenID Connect Core 1.0, 12; RFC 9700, 4.14.2).
///
/// A client may use each refresh token once; a second use ends the grant. Only a client that proves itself, and whose
/// answer may have been lost, gets the same refresh token again within ``retryTime``, until it has used that.
struct RefreshTokenGrant: GrantHandler {
    /// Time in which a client that lost the answer asks again (RFC 9700, 4.14.2).
    static let retryTime: Duration = .seconds(10)

    private static let unknown = TokenExchange.Verdict.refused(
        .invalidGrant, cause: "the refresh token is unknown or another client's, or the client may have none")
    private static let late = TokenExchange.Verdict.refused(
        .invalidGrant,
        cause:
            "the refresh token has expired, or its sign-in was ended, such as by a lock, a removed key or a stronger one"
    )
    private static let unproven = TokenExchange.Verdict.refused(
        .invalidGrant, cause: "the refresh token is bound to a key: it needs a DPoP proof by the same one")
    private static let tooMuch = TokenExchange.Verdict.refused(
        .invalidScope, cause: "scope is empty, or asks for more than the refresh token was granted")

    let type = "refresh_token"
    let exchange: TokenExchange

    func tokens(
        for request: ClientRequest, of client: RegisteredClient, with proof: KeyProof?
    ) async throws(OpenIDRefusal) -> [UInt8] {
        let fields = request.fields
        guard let token = fields["refresh_token"] else { throw OpenIDRefusal(.invalidRequest, field: "refresh_token") }
        // What the operator does not permit is ignored here as it is in the first request, which clients repeat.
        let asked = fields["scope"].map { client.permitted(AuthorizationRequestReader.scopes(in: $0)) }
        let hash = GrantTokenHash(of: token.utf8)
        let (drawn, successors) = (exchange.issue.draft(for: client, boundTo: proof?.key), try successors(of: token))
        let (now, wait) = (exchange.clock.now(), exchange.issue.settings.removalWait)
        let verdict = try await exchange.transactions.transactionOrRefusal {
            transaction throws(ServerTransactionFailure) -> TokenExchange.Verdict in
            guard let holder = try transaction.holder(ofToken: hash), let user = try transaction.lockUser(holder),
                let old = try transaction.grantToken(hash), old.kind == .refresh,
                let grant = try transaction.grant(old.grant), grant.client == client.id, client.mayRefresh
            else { return Self.unknown }
            if let asked, asked.isEmpty || !asked.isSubset(of: grant.scopes) {
                return Self.tooMuch
            }
            // A thief without the key uses nothing up.
            guard old.key == nil || old.key == proof?.key else { return Self.unproven }
            if try proof?.isFirst(in: transaction, at: now) == false { return .repeatedProof }
            let isFirst = try transaction.useRefreshToken(hash, at: now)
            let refresh =
                isFirst ? successors.first : try lost(successors, of: old, for: client, at: now, in: transaction)
            guard let refresh else {
                // Two parties hold the token, and the server cannot tell the thief: both lose it (RFC 9700, 4.14.2).
                try transaction.end(
                    grant, as: .clientGrantReplayed, by: client.id, at: now, from: request.client)
                return .refused(.invalidGrant, cause: "the refresh token was used before; its grant has ended")
            }
            let admission = try transaction.admission(by: grant, of: user, at: now, wait: wait, from: request.client)
            guard now < old.expiresAt, now < grant.expiresAt, admission == .granted else {
                try transaction.end(grant, by: client.id, at: now, from: request.client)
                return Self.late
            }
            let scopes = asked ?? client.permitted(grant.scopes)
            var draft = drawn
            draft.refresh = refresh
            for row in draft.rows(for: grant, scopes: scopes, at: now) where isFirst || row.kind == .access {
                try transaction.insert(row)
            }
            let person = try UserClaims.read(of: user, for: scopes, in: transaction)
            return .granted(TokenExchange.Found(grant: grant, person: person, scopes: scopes, draft: draft))
        }
        return try await exchange.answer(verdict, to: client, isFirst: false)
    }

    private func successors(of token: String) throws(OpenIDRefusal) -> [Sensitive<String>] {
        do throws(ServerError) {
            return try exchange.issue.keys.service.successors(of: token)
        } catch {
            throw OpenIDRefusal(error)
        }
    }

    /// The refresh token that was given for a used one and has not been used: its answer may be lost.
    ///
    /// Nil for a public client, whose token a thief could repeat as well, and once ``retryTime`` is over.
    private func lost(
        _ successors: [Sensitive<String>], of old: GrantToken, for client: RegisteredClient, at now: Timestamp,
        in transaction: any OpenIDTransaction
    ) throws(ServerTransactionFailure) -> Sensitive<String>? {
        guard client.authentication != RegisteredClient.Authentication.none, let usedAt = old.usedAt,
            now - usedAt <= Self.retryTime
        else { return nil }
        for text in successors {
            let next = try transaction.grantToken(GrantTokenHash(of: text.reveal().utf8))
            if let next, next.grant == old.grant, next.usedAt == nil { return text }
        }
        return nil
    }
}
