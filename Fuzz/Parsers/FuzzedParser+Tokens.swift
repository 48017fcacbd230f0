import JOSE

extension FuzzedParser {
    /// Tokens and keys.
    static let tokens: [FuzzedParser] = [
        FuzzedParser("jws") { bytes throws(FuzzFinding) in
            guard let text = try? text(bytes) else { return false }
            return (try? CompactJWS(parsing: text)) != nil
        },
        stable("jwk", read: { try JWK(json: $0) }, write: { $0.json }),
        stable("jwks", read: { try JWKS(json: $0) }, write: { $0.json }),
    ]
}
