import Crypto
import JOSE
import Octets
import ServerCore

/// Proofs of a key as they came with a request, one for each field `DPoP`; nothing of them is verified.
package struct PresentedKeyProof: Sendable {
    let texts: [String]
    let method: String
    /// Address of the service as clients call it, without a query.
    let address: String

    package init(_ texts: [String], method: String, address: String) {
        (self.texts, self.method, self.address) = (texts, method, address)
    }
}

/// Proof that the sender of one request holds a key (DPoP; RFC 9449, 4).
///
/// A token that is bound to the key is worth nothing without it: who steals the token needs the key, too.
struct KeyProof: Sendable {
    static let type = "dpop+jwt"
    /// Longest distance of `iat` from the clock of this server, before and after.
    static let tolerance: Duration = .seconds(60)
    /// Octets of the longest `jti`.
    private static let identifierLimit = 256

    let key: ClientKeyThumbprint
    private let identifier: String
    private let issuedAt: Int64

    /// Reads the proof of a request; nil without one.
    ///
    /// Throws ``OpenIDRefusal/Code/invalidDPoPProof`` with the number of the check that fails (RFC 9449, 4.3): there is more than
    /// one proof (1), it is not signed by the key that it carries (2 to 7), or it is for another method (8), address (9), time
    /// (11) or `accessToken` (12). This server asks for no nonce (10). Whether it came before, ``isFirst(in:at:)`` tells.
    init?(
        _ presented: PresentedKeyProof, accessToken: String? = nil, at now: Timestamp
    ) throws(OpenIDRefusal) {
        guard let text = presented.texts.first else { return nil }
        guard presented.texts.count == 1 else { throw Self.refusal(1, "there is more than one field DPoP") }
        let claims: JWTClaims
        (key, claims) = try Self.verify(text)
        guard let identifier = claims.text("jti"), (1...Self.identifierLimit).contains(identifier.utf8.count),
            let method = claims.text("htm"), let address = claims.text("htu"), let issuedAt = claims.issuedAt
        else { throw Self.refusal(3, "jti (1 to \(Self.identifierLimit) octets), htm, htu and iat are needed") }
        guard method.hasSameOctets(as: presented.method) else { throw Self.refusal(8, "htm is not the method") }
        guard let named = Self.normalized(address), let own = Self.normalized(presented.address),
            named.hasSameOctets(as: own)
        else { throw Self.refusal(9, "htu is not the address, which is \(presented.address)") }
        let (distance, overflows) = issuedAt.subtractingReportingOverflow(now.seconds)
        guard !overflows, (-Self.tolerance.components.seconds...Self.tolerance.components.seconds).contains(distance)
        else { throw Self.refusal(11, "iat is more than a minute from the time of this server: check the clock") }
        if let accessToken {
            let hash = Base64URL.encode(Array(SHA256.hash(data: Array(accessToken.utf8))))
            guard claims.text("ath")?.hasSameOctets(as: hash) == true else {
                throw Self.refusal(12, "ath is not the hash of the access token")
            }
        }
        (self.identifier, self.issuedAt) = (identifier, issuedAt)
    }

    /// Remembers the proof; false when it came before (RFC 9449, 11.1).
    ///
    /// Ask only where the request has shown something that this server gave out: strangers could fill the memory.
    func isFirst(
        in transaction: any OpenIDTransaction, at now: Timestamp
    ) throws(ServerTransactionFailure) -> Bool {
        let hash = ClientAssertionHash(of: Array("DPoP\0\(Base64URL.encode(key.octets))\0\(identifier)".utf8))
        return try transaction.remember(hash, until: now + Self.tolerance * 2)
    }

    /// Words about a proof that came before.
    static let isRepeated = "the DPoP proof was used before: each needs a new jti"

    private static func verify(_ text: String) throws(OpenIDRefusal) -> (ClientKeyThumbprint, JWTClaims) {
        do throws(JOSEError) {
            let token = try CompactJWS(parsing: text)
            let isProof = token.header.type?.lowercased().hasSameOctets(as: type) == true
            let verified = try token.verifiedByCarriedKey()
            let claims = try JWTClaims(payload: verified.payload)
            if isProof, let key = ClientKeyThumbprint(stored: JWKThumbprint(of: verified.key).octets) {
                return (key, claims)
            }
        } catch {
            switch error {
            case .unsupportedAlgorithm, .algorithmMismatch:
                throw refusal(5, "alg is not the one of the key, ES256 or RS256")
            case .invalidSignature: throw refusal(6, "the signature is not made by the key in jwk")
            case .privateKeyMaterial: throw refusal(7, "jwk has a private key, which is known to others now")
            default: throw refusal(2, "it is not a JWT with a public key in its header")
            }
        }
        throw refusal(4, "typ is not \(type)")
    }

    private static func refusal(_ check: Int, _ words: String) -> OpenIDRefusal {
        OpenIDRefusal(
            .invalidDPoPProof, advice: "The DPoP proof is refused: \(words).", cause: "check \(check): \(words)")
    }

    /// An address without query and fragment, whose scheme and host have small letters and whose port is named only where it is
    /// not the one of the scheme (RFC 9449, 4.3; RFC 3986, 6.2.2 and 6.2.3); nil for what is no address.
    private static func normalized(_ text: String) -> String? {
        let bare = text.prefix { $0 != "?" && $0 != "#" }
        guard let mark = bare.firstRange(of: "://") else { return nil }
        let scheme = bare[..<mark.lowerBound].lowercased()
        let rest = bare[mark.upperBound...]
        let host = rest.prefix { $0 != "/" }
        guard !scheme.isEmpty, !host.isEmpty else { return nil }
        var authority = host.lowercased()
        let port = scheme == "https" ? ":443" : scheme == "http" ? ":80" : ""
        if !port.isEmpty, authority.hasSuffix(port) { authority.removeLast(port.count) }
        let path = rest[host.endIndex...]
        return "\(scheme)://\(authority)\(path.isEmpty ? "/" : path)"
    }
}
