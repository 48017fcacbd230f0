package import ServerCore

package typealias GrantID = OpaqueID<Grant>

/// Grant of one user to one client: everything that was issued on the strength of one confirmation ends with it.
package struct Grant: Sendable, Hashable {
    package let id: GrantID
    package let client: ClientID
    package let userID: UserID
    /// Session of the browser; nil for CIBA.
    package let session: BrowserSessionID?
    package let scopes: Set<ScopeName>
    /// Ceremony that was confirmed; its receipt goes into the ID token.
    package let ceremony: CeremonyID
    package let assurance: Assurance
    /// Time of day of the confirmation: `auth_time`.
    package let authenticatedAt: Timestamp
    /// Proof behind it: judged again at each token, so that a removed phone ends the grant.
    package let evidence: RequestAuthorization.Evidence
    package let createdAt: Timestamp
    /// End of the last refresh token, however often it was rotated; without one, of the session and of the access tokens.
    package var expiresAt: Timestamp

    package init(
        id: GrantID, client: ClientID, session: BrowserSessionID?, scopes: Set<ScopeName>, confirmation: Confirmation,
        createdAt: Timestamp, expiresAt: Timestamp
    ) {
        self.id = id
        self.client = client
        userID = confirmation.user.id
        self.session = session
        self.scopes = scopes
        ceremony = confirmation.id
        assurance = confirmation.assurance
        authenticatedAt = confirmation.authenticatedAt
        evidence = confirmation.evidence
        self.createdAt = createdAt
        self.expiresAt = expiresAt
    }

    package init(
        stored id: GrantID, client: ClientID, userID: UserID, session: BrowserSessionID?, scopes: Set<ScopeName>,
        ceremony: CeremonyID, assurance: Assurance, authenticatedAt: Timestamp,
        evidence: RequestAuthorization.Evidence, createdAt: Timestamp, expiresAt: Timestamp
    ) {
        self.id = id
        self.client = client
        self.userID = userID
        self.session = session
        self.scopes = scopes
        self.ceremony = ceremony
        self.assurance = assurance
        self.authenticatedAt = authenticatedAt
        self.evidence = evidence
        self.createdAt = createdAt
        self.expiresAt = expiresAt
    }
}

extension Grant {
    /// Whether another grant says the same of the same session and confirmation.
    func isRepeated(by other: Grant) -> Bool {
        session == other.session && ceremony == other.ceremony && client == other.client && scopes == other.scopes
    }
}

extension AuditEvent {
    /// Event of a grant, which a client has caused.
    init(
        _ kind: Kind, of grant: Grant, by client: ClientID, at now: Timestamp,
        from context: ClientContext = ClientContext()
    ) {
        self.init(kind, at: now, userID: grant.userID, client: context)
        ceremonyID = grant.ceremony
        initiator = .client(client)
    }
}

extension OpenIDTransaction {
    /// Ends a grant and records why; false when it had ended.
    @discardableResult
    func end(
        _ grant: Grant, as kind: AuditEvent.Kind = .clientGrantEnded, by client: ClientID, at now: Timestamp,
        from context: ClientContext
    ) throws(ServerTransactionFailure) -> Bool {
        guard try endGrants([grant.id], at: now) > 0 else { return false }
        try append(AuditEvent(kind, of: grant, by: client, at: now, from: context))
        return true
    }
}

/// Access or refresh token of a grant: 32 random octets, of which the hash is kept.
package struct GrantToken: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        case access, refresh
    }

    package let hash: GrantTokenHash
    package let grant: GrantID
    package let kind: Kind
    /// Scopes of the token: its grant's, or fewer for an access token whose client asked for fewer (RFC 6749, 6).
    package let scopes: Set<ScopeName>
    package let createdAt: Timestamp
    package let expiresAt: Timestamp
    /// Key whose holder alone may use the token (RFC 9449, 5 and 6); nil: its bearer.
    package let key: ClientKeyThumbprint?
    /// Time at which a refresh token was exchanged; one that comes again ends its grant (RFC 9700, 4.14.2).
    package let usedAt: Timestamp?

    package init(
        hash: GrantTokenHash, grant: GrantID, kind: Kind, scopes: Set<ScopeName>, createdAt: Timestamp,
        expiresAt: Timestamp, key: ClientKeyThumbprint? = nil, usedAt: Timestamp? = nil
    ) {
        self.hash = hash
        self.grant = grant
        self.kind = kind
        self.scopes = scopes
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.key = key
        self.usedAt = usedAt
    }
}

/// Issuer of tokens for a grant that another service has decided upon: CIBA issues by the provider's rules.
package protocol GrantIssuer: Sendable {
    /// Draws the tokens of a grant.
    ///
    /// `key` is the one that the client has proved to hold; `requestID` goes into the ID token of push delivery (`urn:openid:params:jwt:claim:auth_req_id`; CIBA Core 1.0,
    /// 10.3.1). Throws ``ServerError/signingFailed`` and ``ServerError/storageUnavailable`` where no key could sign the ID token.
    func draft(
        for client: RegisteredClient, key: ClientKeyThumbprint?, requestID: String?
    ) async throws(ServerError) -> GrantDraft

    /// Stores the grant and its tokens; nil when the confirmation does not let in any more.
    ///
    /// Of `scopes` the client gets those that it may have.
    func store(
        _ draft: GrantDraft, scopes: Set<ScopeName>, for confirmation: Confirmation,
        in transaction: any OpenIDTransaction
    ) throws(ServerTransactionFailure) -> StoredGrant?

    /// The token response (OpenID Connect Core 1.0, 3.1.3.3).
    ///
    /// Throws ``ServerError/signingFailed`` and ``ServerError/storageUnavailable``.
    func answer(_ stored: StoredGrant) async throws(ServerError) -> GrantedTokens
}

extension GrantIssuer {
    /// Stores a grant and its tokens by a transaction of its own, and returns the token response.
    ///
    /// Throws ``ServerError/unauthorized`` when the confirmation does not let in any more,
    /// ``ServerError/signingFailed`` and ``ServerError/storageUnavailable``.
    package func issue(
        to client: RegisteredClient, for confirmation: Confirmation, scopes: Set<ScopeName>, requestID: String?,
        by transactions: any OpenIDTransactionRunner
    ) async throws(ServerError) -> GrantedTokens {
        let draft = try await draft(for: client, key: nil, requestID: requestID)
        let stored = try await transactions.transaction { transaction throws(ServerTransactionFailure) in
            try store(draft, scopes: scopes, for: confirmation, in: transaction)
        }
        guard let stored else { throw .unauthorized }
        return try await answer(stored)
    }
}

/// Tokens of one answer, drawn before the transaction that stores them.
package struct GrantDraft: Sendable {
    let client: RegisteredClient
    let requestID: String?
    let tokens: TokenIssuer.Draft
    let createdAt: Timestamp
}

/// Grant that is stored, with what its answer is made of.
package struct StoredGrant: Sendable {
    let draft: GrantDraft
    let grant: Grant
    let person: UserClaims
}

/// Tokens of one answer, as texts for the client only.
package struct GrantedTokens: Sendable {
    /// Body of the token response: `access_token`, `token_type`, `expires_in`, `id_token`, `scope` and, where asked
    /// for, `refresh_token`.
    ///
    /// JSON of at most 16 KiB.
    package let body: [UInt8]
    package let grant: GrantID

    package init(body: [UInt8], grant: GrantID) {
        self.body = body
        self.grant = grant
    }
}
