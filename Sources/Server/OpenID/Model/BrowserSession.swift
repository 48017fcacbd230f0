package import ServerCore

/// Identifier of a session at the provider; the `sid` of ID and logout tokens.
package typealias BrowserSessionID = OpaqueID<BrowserSession>

/// Session of a browser at the provider: later requests are answered from it, as `prompt` and `max_age` allow.
package struct BrowserSession: Sendable, Hashable {
    package let id: BrowserSessionID
    /// Cookie `__Host-signet-provider` (`SameSite=Lax`, `HttpOnly`, `Secure`).
    package let cookie: ProviderCookieHash
    package let userID: UserID
    package let ceremony: CeremonyID
    package let assurance: Assurance
    package let authenticatedAt: Timestamp
    package let evidence: RequestAuthorization.Evidence
    package let expiresAt: Timestamp
    package var binding: SessionBinding

    package init(
        id: BrowserSessionID, cookie: ProviderCookieHash, userID: UserID, ceremony: CeremonyID, assurance: Assurance,
        authenticatedAt: Timestamp, evidence: RequestAuthorization.Evidence, expiresAt: Timestamp,
        binding: SessionBinding = .none
    ) {
        self.id = id
        self.cookie = cookie
        self.userID = userID
        self.ceremony = ceremony
        self.assurance = assurance
        self.authenticatedAt = authenticatedAt
        self.evidence = evidence
        self.expiresAt = expiresAt
        self.binding = binding
    }
}
