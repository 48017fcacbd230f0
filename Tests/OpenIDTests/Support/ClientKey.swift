import Crypto
import JOSE
import Octets
import OpenID
import ServerCore
import StrictJSON

/// Key of a client that makes proofs (RFC 9449, 4.2); a test changes what it says.
struct ClientKey {
    private let key = P256.Signing.PrivateKey()
    let jwk: JWK

    init() throws {
        jwk = try JWK(verifying: .init(p256Point: Array(key.publicKey.x963Representation)))
    }

    var thumbprint: String { JWKThumbprint(of: jwk).text }

    /// A sound proof, but for the members that are changed; a nil removes one.
    func proof(
        _ method: String = "POST", _ address: String = ProviderFixture.issuer + "/oauth2/token", at now: Timestamp,
        accessToken: String? = nil, header changedHeader: [String: JSONValue?] = [:],
        claims changedClaims: [String: JSONValue?] = [:]
    ) throws -> String {
        var header: [String: JSONValue] = [
            "typ": .string("dpop+jwt"), "alg": .string("ES256"), "jwk": .object(jwk.members),
        ]
        var claims: [String: JSONValue] = [
            "jti": .string(Base64URL.encode(Array(SymmetricKey(size: .bits128).withUnsafeBytes { Array($0) }))),
            "htm": .string(method), "htu": .string(address), "iat": .integer(now.seconds),
        ]
        if let accessToken {
            claims["ath"] = .string(Base64URL.encode(Array(SHA256.hash(data: Array(accessToken.utf8)))))
        }
        for (name, value) in changedHeader { header[name] = value }
        for (name, value) in changedClaims { claims[name] = value }
        let input = "\(Self.encoded(header)).\(Self.encoded(claims))"
        let signature = try key.signature(for: Array(input.utf8)).rawRepresentation
        return "\(input).\(Base64URL.encode(Array(signature)))"
    }

    private static func encoded(_ members: [String: JSONValue]) -> String {
        Base64URL.encode(
            JSONWriter.write(.object(JSONObject(distinct: members.map { JSONObject.Member($0.key, $0.value) }))))
    }
}
