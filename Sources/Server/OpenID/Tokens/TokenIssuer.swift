import Octets
package import ServerCore
import StrictJSON

/// Issue of tokens on the strength of a grant.
package struct TokenIssuer: GrantIssuer {
    let settings: OpenIDSettings.Provider
    let keys: ProviderKeys
    let receipts: any ReceiptIssuer
    let transactions: any OpenIDTransactionRunner
    let clock: any WallClock
    let wall: any WallClock
    let random: any RandomSource

    /// Tokens of one answer, drawn before the transaction that stores their hashes.
    struct Draft: Sendable {
        let access: Sensitive<String>
        var refresh: Sensitive<String>
        let settings: OpenIDSettings.Provider
        /// Key that the access token is bound to, and the one of the refresh token; nil: their bearers may use them.
        let key: ClientKeyThumbprint?
        let refreshKey: ClientKeyThumbprint?

        /// Rows of the tokens of a grant; a refresh token only where the grant has one.
        ///
        /// The access token has `scopes`; the refresh token always has all of the grant (RFC 6749, 6).
        func rows(for grant: Grant, scopes: Set<ScopeName>, at now: Timestamp) -> [GrantToken] {
            let end = now + settings.tokenLifetime
            var rows = [
                GrantToken(
                    hash: GrantTokenHash(of: access.reveal().utf8), grant: grant.id, kind: .access,
                    scopes: scopes, createdAt: now, expiresAt: end, key: key)
            ]
            if grant.scopes.contains(.offlineAccess) {
                rows.append(
                    GrantToken(
                        hash: GrantTokenHash(of: refresh.reveal().utf8), grant: grant.id, kind: .refresh,
                        scopes: grant.scopes, createdAt: now,
                        expiresAt: min(grant.expiresAt, now + settings.refreshLifetime / 2), key: refreshKey))
            }
            return rows
        }
    }

    /// Draws tokens; of a client that proves itself, the refresh token is bound to that proof already (RFC 9449, 5).
    func draft(for client: RegisteredClient, boundTo key: ClientKeyThumbprint?) -> Draft {
        let isPublic = client.authentication == RegisteredClient.Authentication.none
        return Draft(
            access: random.secret(), refresh: random.secret(), settings: settings, key: key,
            refreshKey: isPublic ? key : nil)
    }

    /// Body of the token response (OpenID Connect Core 1.0, 3.1.3.3).
    ///
    /// Throws ``ServerError/signingFailed`` and ``ServerError/storageUnavailable``.
    func body(
        _ token: IDToken, _ draft: Draft, for client: RegisteredClient
    ) async throws(ServerError) -> [UInt8] {
        let lifetime = settings.tokenLifetime
        let claims = try token.claims(issuer: keys.issuer, at: wall.now(), lifetime: lifetime)
        let signed = try await keys.signer(for: client.idTokenAlgorithm).token(claims, type: IDToken.type)
        return JSONWriter.write(
            .object([
                "access_token": .string(draft.access.reveal()),
                "token_type": .string(draft.key == nil ? "Bearer" : "DPoP"),
                "expires_in": .integer(lifetime.components.seconds),
                "id_token": .string(signed),
                "scope": .string(ScopeName.text(token.scopes)),
                "refresh_token": token.grant.scopes.contains(.offlineAccess)
                    ? .string(draft.refresh.reveal()) : nil,
            ]))
    }

    // MARK: - Grants of other services

    package func draft(
        for client: RegisteredClient, key: ClientKeyThumbprint?, requestID: String?
    ) async throws(ServerError) -> GrantDraft {
        // Without a key nothing is granted.
        _ = try await keys.signer(for: client.idTokenAlgorithm)
        return GrantDraft(
            client: client, requestID: requestID, tokens: draft(for: client, boundTo: key), createdAt: clock.now())
    }

    package func store(
        _ draft: GrantDraft, scopes: Set<ScopeName>, for confirmation: Confirmation,
        in transaction: any OpenIDTransaction
    ) throws(ServerTransactionFailure) -> StoredGrant? {
        let (client, scopes, now) = (draft.client.id, draft.client.permitted(scopes), draft.createdAt)
        let grant = Grant(
            id: GrantID(from: random), client: client, session: nil, scopes: scopes, confirmation: confirmation,
            createdAt: now, expiresAt: settings.grantEnd(of: scopes, from: now, in: nil))
        guard let user = try transaction.lockUser(grant.userID),
            try transaction.admission(
                by: grant, of: user, at: now, wait: settings.removalWait, from: ClientContext()) == .granted
        else { return nil }
        try transaction.insert(grant)
        if let pushed = draft.requestID.flatMap({ try? Base64URL.decode($0) }).map({ BackchannelRequestHash(of: $0) }) {
            try transaction.endGrant(of: pushed, at: now)
            try transaction.note(grant.id, of: pushed)
        }
        for row in draft.tokens.rows(for: grant, scopes: scopes, at: now) { try transaction.insert(row) }
        try transaction.append(AuditEvent(.clientGrantIssued, of: grant, by: client, at: now).about(user))
        return StoredGrant(
            draft: draft, grant: grant, person: try UserClaims.read(of: user, for: scopes, in: transaction))
    }

    package func answer(_ stored: StoredGrant) async throws(ServerError) -> GrantedTokens {
        let (draft, grant) = (stored.draft, stored.grant)
        var token = IDToken(
            grant: grant, person: stored.person, accessToken: draft.tokens.access, scopes: grant.scopes)
        token.receipt = try await receipts.receipt(of: grant.ceremony, for: .client(draft.client.id))
        if let requestID = draft.requestID {
            let refresh = grant.scopes.contains(.offlineAccess) ? draft.tokens.refresh : nil
            token.push = (requestID: requestID, refreshToken: refresh)
        }
        return GrantedTokens(body: try await body(token, draft.tokens, for: draft.client), grant: grant.id)
    }
}
