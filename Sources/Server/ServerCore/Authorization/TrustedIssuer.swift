/// Another system whose tokens say who the user is.
package struct TrustedIssuer: Sendable, Hashable {
    /// The `iss` of its tokens.
    package var issuer: String
    /// Its public keys, a JWK Set (RFC 7517, 5) as JSON.
    package var keySet: [UInt8]

    package init(issuer: String, keySet: [UInt8]) {
        self.issuer = issuer
        self.keySet = keySet
    }
}
