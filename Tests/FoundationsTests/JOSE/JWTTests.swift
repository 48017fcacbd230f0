import Crypto
import JOSE
import StrictJSON
import Testing

@Suite("JSON Web Tokens (RFC 7519; RFC 8725)")
struct JWTTests {
    private static let now: Int64 = 1_800_000_000
    private let privateKey = P256.Signing.PrivateKey()
    private let expectation = JWTExpectation(issuer: "https://login.example", audience: "signet")

    private func verify(_ changes: JSONObject, removing removed: String? = nil, now: Int64 = now) throws -> VerifiedJWT
    {
        let members: JSONObject = [
            "iss": .string("https://login.example"), "aud": .string("signet"), "sub": .string("jeff"),
            "exp": .integer(Self.now + 300), "iat": .integer(Self.now), "amr": .array([.string("fido-uaf")]),
        ]
        let kept = members.members.filter { changes[$0.name] == nil && $0.name != removed }
        let payload = JSONWriter.write(.object(JSONObject(distinct: kept + changes.members)))
        return try verify(payload: payload, now: now)
    }

    private func verify(payload: [UInt8], now: Int64 = now) throws -> VerifiedJWT {
        let unsigned = UnsignedJWS(header: JOSEHeader(algorithm: .es256), payload: payload)
        let signature = try privateKey.signature(for: unsigned.signingInput)
        let token = unsigned.signed(with: Array(signature.rawRepresentation))
        let point = Array(privateKey.publicKey.x963Representation)
        let key = try JWK(verifying: .p256(x: Array(point[1...32]), y: Array(point[33...])))
        return try VerifiedJWT(parsing: token, keys: JWKS([key]), expectation: expectation, now: now)
    }

    @Test("A token that says what is expected is accepted")
    func accepted() throws {
        let token = try verify([:])
        #expect(token.subject == "jeff")
        #expect(token.claims.texts("amr") == ["fido-uaf"])
        #expect(token.claims.text("acr") == nil)
        #expect(throws: Never.self) { try verify(["aud": .array([.string("other"), .string("signet")])]) }
    }

    @Test(
        "A missing claim is named", arguments: [JWTClaim.issuer, .audience, .subject, .expirationTime])
    func missing(claim: JWTClaim) {
        #expect(throws: JOSEError.missingClaim(claim)) { try verify([:], removing: claim.rawValue) }
    }

    @Test("Another issuer, audience or an empty subject is refused")
    func identities() {
        #expect(throws: JOSEError.refusedClaim(.issuer)) { try verify(["iss": .string("https://login.example/")]) }
        #expect(throws: JOSEError.refusedClaim(.audience)) { try verify(["aud": .string("Signet")]) }
        #expect(throws: JOSEError.missingClaim(.audience)) { try verify(["aud": .array([])]) }
        #expect(throws: JOSEError.refusedClaim(.subject)) { try verify(["sub": .string("")]) }
    }

    @Test("Times hold to the second, with the tolerance on the right side")
    func times() {
        let end = Self.now + 300
        #expect(throws: Never.self) { try verify([:], now: end + 59) }
        #expect(throws: JOSEError.refusedClaim(.expirationTime)) { try verify([:], now: end + 60) }
        #expect(throws: Never.self) { try verify(["exp": .integer(Self.now + 960)]) }
        #expect(throws: JOSEError.refusedClaim(.expirationTime)) { try verify(["exp": .integer(Self.now + 961)]) }
        #expect(throws: Never.self) { try verify(["nbf": .integer(Self.now + 60)]) }
        #expect(throws: JOSEError.refusedClaim(.notBefore)) { try verify(["nbf": .integer(Self.now + 61)]) }
        #expect(throws: JOSEError.refusedClaim(.issuedAt)) { try verify(["iat": .integer(Self.now + 61)]) }
    }

    @Test(
        "Times may have fractions and exponents, of which whole seconds count (RFC 7519, 2)",
        arguments: [
            ("1800000300.9", true), ("1.8000003e9", true), ("18000003E+2", true), ("1799999940.9", false),
            ("-1.5", false),
            ("1e400", false), ("1e30", false), ("0.1", false),
        ])
    func fractions(time: String, isGood: Bool) throws {
        let text = #"{"iss":"https://login.example","aud":"signet","sub":"jeff","exp":\#(time),"iat":1799999999.25}"#
        if isGood {
            #expect(try verify(payload: Array(text.utf8)).claims.expirationTime == Self.now + 300)
        } else {
            #expect(throws: JOSEError.self) { try verify(payload: Array(text.utf8)) }
        }
    }

    @Test("Times at the ends of the number range neither trap nor pass", arguments: [Int64.min, .max])
    func extremeTimes(time: Int64) {
        #expect(throws: JOSEError.refusedClaim(.expirationTime)) { try verify(["exp": .integer(time)]) }
        #expect(throws: JOSEError.self) { try verify([:], now: time) }
    }

    @Test("Claims of wrong types are refused", arguments: ["iss", "sub", "aud", "exp", "nbf", "iat"])
    func types(name: String) {
        #expect(throws: JOSEError.malformedClaims) { try verify(JSONObject([name: .bool(true)])) }
    }

    @Test(
        "Payloads that are no claims are refused",
        arguments: ["", "[]", #"{"exp":"1"}"#, #"{"sub":"a","sub":"b"}"#])
    func payloads(text: String) {
        #expect(throws: JOSEError.malformedClaims) { try verify(payload: Array(text.utf8)) }
    }
}
