import Crypto
import DocumentListings
import JOSE
import Testing

@Suite("The listings about tokens do what they say")
struct JOSEListingTests {
    private static let now: Int64 = 1_800_000_000
    private let privateKey = P256.Signing.PrivateKey()

    private func token(expiring end: Int64) throws -> String {
        let claims = """
            {"iss":"https://login.example","aud":"bank","sub":"anna","iat":\(Self.now),"exp":\(end)}
            """
        return try JOSEListings.unsigned(Array(claims.utf8)) { input in
            Array(try privateKey.signature(for: input).rawRepresentation)
        }
    }

    private func key() throws -> JWK {
        let (thumbprint, document) = try JOSEListings.key(Array(privateKey.publicKey.derRepresentation))
        let key = try JWK(json: document)
        #expect(JWKThumbprint(of: key).text == thumbprint)
        return key
    }

    @Test("A token is signed and verified, and one of another key is refused")
    func tokens() throws {
        let (key, token) = (try key(), try token(expiring: Self.now + 200))
        let keys = try JWKS([key])
        #expect(try JOSEListings.token(token, keys: keys.json, now: Self.now) == "anna")
        #expect(try JOSEListings.signature(token, by: key).isEmpty == false)
        let foreign = Array(P256.Signing.PrivateKey().publicKey.derRepresentation)
        let other = try JWK(json: JOSEListings.key(foreign).document)
        #expect(throws: JOSEError.invalidSignature) { try JOSEListings.signature(token, by: other) }
    }

    @Test("An expired token is told from a forged one")
    func refusals() throws {
        let keys = try JWKS([try key()])
        let expectation = JWTExpectation(issuer: "https://login.example", audience: "bank")
        let (fresh, old) = (try token(expiring: Self.now + 200), try token(expiring: Self.now - 200))
        #expect(JOSEListings.refusal(fresh, keys, expectation, now: Self.now) == "accepted")
        #expect(JOSEListings.refusal(old, keys, expectation, now: Self.now) == "expired")
        #expect(JOSEListings.refusal("a.b.c", keys, expectation, now: Self.now) == "refused")
    }

    @Test("What is sealed to a key brings the point to agree with")
    func encryption() throws {
        let material = try JWK.Material(p256Point: Array(P256.KeyAgreement.PrivateKey().publicKey.x963Representation))
        let point = try JOSEListings.encryption(Array("{}".utf8), to: try JWK(encrypting: material))
        #expect(point.count == 65 && point.first == 4)
    }
}
