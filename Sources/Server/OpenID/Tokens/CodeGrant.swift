import Octets
import ServerCore

/// Exchange of an authorization code (RFC 6749, 4.1.3; OpenID Connect Core 1.0, 3.1.3; RFC 7636, 4.6).
///
/// A client may use a code once, within its life, for the client, the address and the `code_challenge` of its request,
/// and while the sign-in holds; any other use uses it up, and one after the first ends its grant.
struct CodeGrant: GrantHandler {
    let type = "authorization_code"
    let exchange: TokenExchange

    func tokens(
        for request: ClientRequest, of client: RegisteredClient, with proof: KeyProof?
    ) async throws(OpenIDRefusal) -> [UInt8] {
        let fields = request.fields
        guard let code = fields["code"] else { throw OpenIDRefusal(.invalidRequest, field: "code") }
        guard let redirect = fields["redirect_uri"] else { throw OpenIDRefusal(.invalidRequest, field: "redirect_uri") }
        let verifier = fields["code_verifier"]
        if let verifier, !CodeVerifier.isSound(verifier) {
            throw OpenIDRefusal(.invalidRequest, field: "code_verifier")
        }
        let presented = PresentedCode(client: client.id, redirect: redirect, verifier: verifier, key: proof?.key)
        let hash = AuthorizationCodeHash(of: code.utf8)
        let draft = exchange.issue.draft(for: client, boundTo: proof?.key)
        let (now, wait) = (exchange.clock.now(), exchange.issue.settings.removalWait)
        let verdict = try await exchange.transactions.transactionOrRefusal {
            transaction throws(ServerTransactionFailure) -> TokenExchange.Verdict in
            guard let holder = try transaction.holder(ofCode: hash), let user = try transaction.lockUser(holder),
                let use = try transaction.useCode(hash, at: now), let grant = try transaction.grant(use.code.grant)
            else { return .refused(.invalidGrant, cause: "the code is unknown, or its grant has ended") }
            let admission = try transaction.admission(by: grant, of: user, at: now, wait: wait, from: request.client)
            let fault = use.isReplay ? "the code was used before" : presented.fault(in: use.code, at: now)
            guard fault == nil, admission == .granted else {
                // What it has granted ends (RFC 6749, 4.1.2). At its first use that is nothing, and its grant may have other codes.
                if use.isReplay {
                    try transaction.end(grant, as: .clientGrantReplayed, by: client.id, at: now, from: request.client)
                }
                return .refused(
                    .invalidGrant,
                    cause: fault ?? "the sign-in was ended since, such as by a lock, a removed key or a stronger one")
            }
            if try proof?.isFirst(in: transaction, at: now) == false { return .repeatedProof }
            let scopes = client.permitted(grant.scopes)
            for row in draft.rows(for: grant, scopes: scopes, at: now) { try transaction.insert(row) }
            let person = try UserClaims.read(of: user, for: scopes, in: transaction)
            return .granted(
                TokenExchange.Found(grant: grant, person: person, scopes: scopes, draft: draft, nonce: use.code.nonce))
        }
        return try await exchange.answer(verdict, to: client, isFirst: true)
    }

    /// Particulars that a client shows beside a code.
    private struct PresentedCode: Sendable {
        let client: ClientID
        let redirect: String
        let verifier: String?
        let key: ClientKeyThumbprint?

        /// Words about the first that does not fit the code; nil when all do.
        func fault(in code: AuthorizationCode, at now: Timestamp) -> String? {
            if code.client != client { return "the code is another client's" }
            if !code.redirect.text.hasSameOctets(as: redirect) { return "redirect_uri differs from the request" }
            if now >= code.expiresAt { return "the code has expired" }
            if let key = code.key, key != self.key { return "the code needs a DPoP proof by the key of its request" }
            if CodeVerifier.fits(verifier, code.codeChallenge) { return nil }
            switch (verifier, code.codeChallenge) {
            case (nil, _): return "code_verifier is missing: the request had a code_challenge"
            case (_, nil): return "there is a code_verifier, but the request had no code_challenge"
            default: return "code_verifier does not fit the code_challenge of the request"
            }
        }
    }
}
