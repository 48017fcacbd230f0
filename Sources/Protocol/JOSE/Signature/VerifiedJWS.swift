import Octets

/// A JWS whose signature was verified; only the verification makes one.
public struct VerifiedJWS: Sendable {
    /// The protected header.
    public let header: JOSEHeader
    /// The payload as it was signed.
    public let payload: [UInt8]
    /// The key it was verified with.
    public let key: JWK

    /// Verifies the signature of a token with a key that the caller trusts (RFC 7515, 5.2).
    ///
    /// The algorithm is the key's; a token that names another one is refused before anything is computed. Throws
    /// ``JOSEError/unsupportedKey`` when the key is for something else, ``JOSEError/algorithmMismatch``,
    /// ``JOSEError/unknownKey`` when the token names another key, and ``JOSEError/invalidSignature``.
    public init(verifying token: CompactJWS, by key: JWK) throws(JOSEError) {
        let algorithm = try key.verificationAlgorithm()
        guard algorithm == token.header.algorithm else { throw .algorithmMismatch }
        if let named = token.header.keyID, let own = key.keyID, !named.hasSameOctets(as: own) { throw .unknownKey }
        try key.requireSignature(token.signature, over: token.signingInput)
        header = token.header
        payload = token.unverifiedPayload
        self.key = key
    }
}

extension CompactJWS {
    /// The token, verified with a key that the caller trusts; throws what ``VerifiedJWS/init(verifying:by:)`` throws.
    public func verified(by key: JWK) throws(JOSEError) -> VerifiedJWS {
        try VerifiedJWS(verifying: self, by: key)
    }

    /// The token, verified with the key of the set that its header names.
    ///
    /// Throws what ``VerifiedJWS/init(verifying:by:)`` throws, and ``JOSEError/unknownKey`` when no key fits.
    public func verified(by keys: JWKS) throws(JOSEError) -> VerifiedJWS {
        try VerifiedJWS(verifying: self, by: try keys.key(for: header))
    }
}
