import JOSE
import Octets
import OpenID
import ServerCore

extension FuzzedParser {
    /// Parsers of tokens, of their headers, and of keys.
    static let tokens: [FuzzedParser] = [
        exact(
            "jws", read: { try CompactJWS(parsing: try text($0)) },
            write: { $0.signingInput + Array(".\(Base64URL.encode($0.signature))".utf8) }),
        stable("jws-header", read: { try JOSEHeader(json: $0) }, write: { $0.json }),
        FuzzedParser("jwe") { bytes throws(FuzzFinding) in
            guard let text = try? text(bytes), let token = try? CompactJWE(parsing: text) else { return false }
            // This secret was never agreed on, so whatever the token contains, it has to fail with the one error.
            let secret = SecretOctets(copying: [UInt8](repeating: 0x5A, count: 32))
            do throws(JOSEError) {
                _ = try token.open(agreedSecret: secret)
            } catch .undecryptable {
                return true
            } catch {
                throw FuzzFinding(parser: "jwe", promise: "a token that does not open says only that")
            }
            throw FuzzFinding(parser: "jwe", promise: "no token opens with a secret that was not agreed on")
        },
        reading("session-proof") { bytes in
            let proof = try CompactJWS(parsing: text(bytes)).verifiedByCarriedKey()
            _ = try BoundKey(proof.key, from: SystemRandomSource())
            _ = try JWTClaims(payload: proof.payload)
        },
        stable("jwe-header", read: { try JWEHeader(json: $0) }, write: { $0.json }),
        stable("jwk", read: { try JWK(json: $0) }, write: { $0.json }),
        stable("jwks", read: { try JWKS(json: $0) }, write: { $0.json }),
    ]
}
