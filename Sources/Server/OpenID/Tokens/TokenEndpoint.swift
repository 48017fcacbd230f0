import Octets
import ServerCore

/// Exchange of codes and refresh tokens (RFC 6749, 4.1.3 and 6; OpenID Connect Core 1.0, 3.1.3 and 12).
struct TokenEndpoint: Sendable {
    let parts: ProviderParts
    let issue: GrantIssue

    /// Grant of an exchange, as the transaction found it.
    private struct Found: Sendable {
        let grant: Grant
        let person: UserClaims
        /// Scopes of the access token.
        let scopes: Set<ScopeName>
    }

    /// Verdict of a transaction, which keeps what it has written in either case.
    private enum Verdict: Sendable {
        case granted(Found)
        case refused(OpenIDRefusal.Code, cause: String? = nil)
    }

    /// Answers a request of an authenticated client.
    func answer(_ fields: OpenIDFields, of client: RegisteredClient, _ context: ClientContext)
        async throws(OpenIDRefusal) -> [UInt8]
    {
        do throws(ServerError) {
            // A code that cannot be answered is not used up.
            _ = try await parts.keys.signer(for: client.idTokenAlgorithm)
        } catch {
            throw OpenIDRefusal(error)
        }
        switch fields["grant_type"] {
        case "authorization_code": return try await exchangeCode(fields, of: client, context)
        case "refresh_token": return try await refresh(fields, of: client, context)
        case nil: throw OpenIDRefusal(.invalidRequest, field: "grant_type")
        default: throw OpenIDRefusal(.unsupportedGrantType, field: "grant_type")
        }
    }

    // MARK: - Code

    private func exchangeCode(
        _ fields: OpenIDFields, of client: RegisteredClient, _ context: ClientContext
    ) async throws(OpenIDRefusal) -> [UInt8] {
        guard let code = fields["code"] else { throw OpenIDRefusal(.invalidRequest, field: "code") }
        guard let redirect = fields["redirect_uri"] else { throw OpenIDRefusal(.invalidRequest, field: "redirect_uri") }
        let verifier = fields["code_verifier"]
        if let verifier, !CodeVerifier.isSound(verifier) {
            throw OpenIDRefusal(.invalidRequest, field: "code_verifier")
        }
        let presented = PresentedCode(client: client.id, redirect: redirect, verifier: verifier)
        let hash = AuthorizationCodeHash(of: code.utf8)
        let draft = issue.draft()
        let (now, settings) = (parts.now, parts.settings)
        let ended = endings(for: client, context)
        let verdict = try await parts.transaction { transaction throws(ServerTransactionFailure) -> Verdict in
            guard let holder = try transaction.holder(ofCode: hash), let user = try transaction.lockUser(holder),
                let use = try transaction.useCode(hash, at: now), let grant = try transaction.grant(use.code.grant)
            else { return .refused(.invalidGrant, cause: "the code is unknown, or its grant has ended") }
            let holds = try transaction.holds(grant.evidence, of: user)
            let fault = use.isReplay ? "the code was used before" : presented.fault(in: use.code, at: now)
            guard fault == nil, holds else {
                // The code is used up, and an attacker may hold it: what it has granted ends (RFC 6749, 4.1.2).
                if try transaction.endGrant(grant.id, at: now) {
                    try transaction.append(use.isReplay ? ended.replayed(grant) : ended.refused(grant))
                }
                return .refused(
                    .invalidGrant,
                    cause: fault ?? "the sign-in was ended since, such as by a lock or a removed key")
            }
            let scopes = client.permitted(grant.scopes)
            for row in draft.rows(for: grant, scopes: scopes, at: now, settings) { try transaction.insert(row) }
            let person = try UserClaims.read(of: user, for: scopes, in: transaction)
            return .granted(Found(grant: grant, person: person, scopes: scopes))
        }
        return try await answer(verdict, draft, to: client, isFirst: true)
    }

    /// Particulars that a client shows beside a code.
    private struct PresentedCode: Sendable {
        let client: ClientID
        let redirect: String
        let verifier: String?

        /// Words about the first that does not fit the code; nil when all do.
        func fault(in code: AuthorizationCode, at now: Timestamp) -> String? {
            if code.client != client { return "the code is another client's" }
            if !code.redirect.text.hasSameOctets(as: redirect) { return "redirect_uri differs from the request" }
            if now >= code.expiresAt { return "the code has expired" }
            if CodeVerifier.fits(verifier, code.codeChallenge) { return nil }
            switch (verifier, code.codeChallenge) {
            case (nil, _): return "code_verifier is missing: the request had a code_challenge"
            case (_, nil): return "there is a code_verifier, but the request had no code_challenge"
            default: return "code_verifier does not fit the code_challenge of the request"
            }
        }
    }

    // MARK: - Refresh token

    private func refresh(
        _ fields: OpenIDFields, of client: RegisteredClient, _ context: ClientContext
    ) async throws(OpenIDRefusal) -> [UInt8] {
        guard let token = fields["refresh_token"] else { throw OpenIDRefusal(.invalidRequest, field: "refresh_token") }
        // What the operator does not permit is ignored here as it is in the first request, which clients repeat.
        let asked = fields["scope"].map { client.permitted(AuthorizationRequestReader.scopes(in: $0)) }
        let hash = GrantTokenHash(of: token.utf8)
        let draft = issue.draft()
        let (now, settings) = (parts.now, parts.settings)
        let ended = endings(for: client, context)
        let verdict = try await parts.transaction { transaction throws(ServerTransactionFailure) -> Verdict in
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
                if try transaction.endGrant(grant.id, at: now) { try transaction.append(ended.replayed(grant)) }
                return .refused(.invalidGrant, cause: "the refresh token was used before; its grant has ended")
            }
            guard now < old.expiresAt, now < grant.expiresAt, try transaction.holds(grant.evidence, of: user) else {
                if try transaction.endGrant(grant.id, at: now) { try transaction.append(ended.refused(grant)) }
                return .refused(
                    .invalidGrant,
                    cause: "the refresh token has expired, or its sign-in was ended, such as by a lock or a removed key"
                )
            }
            let scopes = asked ?? client.permitted(grant.scopes)
            for row in draft.rows(for: grant, scopes: scopes, at: now, settings) { try transaction.insert(row) }
            let person = try UserClaims.read(of: user, for: scopes, in: transaction)
            return .granted(Found(grant: grant, person: person, scopes: scopes))
        }
        return try await answer(verdict, draft, to: client, isFirst: false)
    }

    // MARK: - Answer

    /// Records of a grant that ends, made before the transaction, which asks no clock.
    private struct Endings: Sendable {
        let replay: AuditEvent
        let refusal: AuditEvent

        func replayed(_ grant: Grant) -> AuditEvent { Self.naming(grant, replay) }
        func refused(_ grant: Grant) -> AuditEvent { Self.naming(grant, refusal) }

        private static func naming(_ grant: Grant, _ event: AuditEvent) -> AuditEvent {
            var event = event
            event.userID = grant.userID
            event.ceremonyID = grant.ceremony
            return event
        }
    }

    private func endings(for client: RegisteredClient, _ context: ClientContext) -> Endings {
        Endings(
            replay: parts.event(.clientGrantReplayed, of: client.id, user: nil, from: context),
            refusal: parts.event(.clientGrantEnded, of: client.id, user: nil, from: context))
    }

    private func answer(
        _ verdict: Verdict, _ draft: GrantIssue.Draft, to client: RegisteredClient, isFirst: Bool
    ) async throws(OpenIDRefusal) -> [UInt8] {
        switch verdict {
        case .refused(let code, let cause): throw OpenIDRefusal(code, cause: cause)
        case .granted(let found):
            var token = IDToken(
                grant: found.grant, person: found.person, accessToken: draft.access, scopes: found.scopes)
            do throws(ServerError) {
                if isFirst {
                    token.nonce = found.grant.nonce
                    // Sites keep the claims in a cookie, for which a receipt is too large; others have no use for one.
                    if client.mayAskForConfirmation {
                        token.receipt = try await parts.receipts.receipt(
                            of: found.grant.ceremony, for: .client(client.id))
                    }
                }
                return try await issue.body(token, draft, for: client)
            } catch {
                throw OpenIDRefusal(error)
            }
        }
    }
}
