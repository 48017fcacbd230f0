import Octets
import StrictJSON

extension CompactJWS {
    /// The token, verified with the public key in its own header (`jwk`; RFC 7515, 4.1.3).
    ///
    /// This shows only that the sender holds that key, and a thief can make one, too: compare ``VerifiedJWS/key`` with a key, or
    /// the thumbprint of a key, that you know from elsewhere. Throws ``JOSEError/refusedHeader`` when there is no `jwk`, and what
    /// ``JWK/init(json:)`` and ``VerifiedJWS/init(verifying:by:)`` throw.
    package func verifiedByCarriedKey() throws(JOSEError) -> VerifiedJWS {
        let part = signingInput.prefix { $0 != UInt8(ascii: ".") }
        let limits = JSONLimits(byteCount: 16 * 1024, depth: 4, elementCount: 64)
        guard let header = try? Base64URL.decode(String(decoding: part, as: UTF8.self)),
            let key = try? JSONParser.parse(header, limits: limits).asObject()["jwk"]
        else { throw .refusedHeader }
        return try verified(by: try JWK(key))
    }
}
