import Octets
import ServerCore

/// Rotation of a refresh token (RFC 6749, 6; OpenID Connect Core 1.0, 12; RFC 9700, 4.14.2).
///
/// A client may use each refresh token once; a second use ends the grant.
struct RefreshTokenGrant: GrantHandler {
    let type = "refresh_token"
    let exchange: TokenExchange

    func tokens(
        for request: ClientRequest, of client: RegisteredClient
    ) async throws(OpenIDRefusal) -> [UInt8] {
        let fields = request.fields
        guard let token = fields["refresh_token"] else { throw OpenIDRefusal(.invalidRequest, field: "refresh_token") }
        // What the operator does not permit is ignored here as it is in the first request, which clients repeat.
        let asked = fields["scope"].map { client.permitted(AuthorizationRequestReader.scopes(in: $0)) }
        let hash = GrantTokenHash(of: token.utf8)
        let draft = exchange.issue.draft()
        let now = exchange.clock.now()
        let verdict = try await exchange.transactions.transactionOrRefusal {
            transaction throws(ServerTransactionFailure) -> TokenExchange.Verdict in
            guard let holder = try transaction.holder(ofToken: hash), let user = try transaction.lockUser(holder),
                let old = try transaction.grantToken(hash), old.kind == .refresh,
                let grant = try transaction.grant(old.grant), grant.client == client.id, client.mayRefresh
            else {
                return .refused(
                    .invalidGrant,
                    cause: "the refresh token is unknown or another client's, or the client may have none")
            }
            if let asked, asked.isEmpty || !asked.isSubset(of: grant.scopes) {
                return .refused(
                    .invalidScope, cause: "scope is empty, or asks for more than the refresh token was granted")
            }
            guard try transaction.useRefreshToken(hash, at: now) else {
                // Two parties hold the token, and the server cannot tell the thief: both lose it (RFC 9700, 4.14.2).
                try transaction.end(
                    grant, as: .clientGrantReplayed, by: client.id, at: now, from: request.client)
                return .refused(.invalidGrant, cause: "the refresh token was used before; its grant has ended")
            }
            guard now < old.expiresAt, now < grant.expiresAt, try transaction.holds(grant.evidence, of: user) else {
                try transaction.end(grant, by: client.id, at: now, from: request.client)
                return .refused(
                    .invalidGrant,
                    cause: "the refresh token has expired, or its sign-in was ended, such as by a lock or a removed key"
                )
            }
            let scopes = asked ?? client.permitted(grant.scopes)
            for row in draft.rows(for: grant, scopes: scopes, at: now) { try transaction.insert(row) }
            let person = try UserClaims.read(of: user, for: scopes, in: transaction)
            return .granted(TokenExchange.Found(grant: grant, person: person, scopes: scopes))
        }
        return try await exchange.answer(verdict, draft, to: client, isFirst: false)
    }
}
