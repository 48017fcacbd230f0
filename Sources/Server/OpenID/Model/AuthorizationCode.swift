package import ServerCore

/// Authorization code (RFC 6749, 4.1.2): good once, for the client, address and verifier it was made for.
package struct AuthorizationCode: Sendable, Hashable {
    package let hash: AuthorizationCodeHash
    package var grant: GrantID
    package let client: ClientID
    package let redirect: RedirectAddress
    /// SHA-256 of the `code_verifier`, 32 octets; nil for a request without one, whose exchange may bring no verifier.
    package let codeChallenge: [UInt8]?
    /// Key whose holder alone may exchange the code (RFC 9449, 10); nil: any client that the code is for.
    package let key: ClientKeyThumbprint?
    /// `nonce` of the request, which goes into the ID token that the code is exchanged for.
    package let nonce: String?
    /// At most 60 s after it was made.
    package let expiresAt: Timestamp

    package init(
        hash: AuthorizationCodeHash, grant: GrantID, client: ClientID, redirect: RedirectAddress,
        codeChallenge: [UInt8]?, key: ClientKeyThumbprint? = nil, nonce: String?, expiresAt: Timestamp
    ) {
        self.hash = hash
        self.grant = grant
        self.client = client
        self.redirect = redirect
        self.codeChallenge = codeChallenge
        self.key = key
        self.nonce = nonce
        self.expiresAt = expiresAt
    }
}
