import Crypto
import JOSE
import Octets
import Testing

@Suite("Making and verifying tokens")
struct JWSSigningTests {
    private let privateKey = P256.Signing.PrivateKey()

    private func publicKey(keyID: String? = "one") throws -> JWK {
        let point = Array(privateKey.publicKey.x963Representation)
        return try JWK(verifying: .p256(x: Array(point[1...32]), y: Array(point[33...])), keyID: keyID)
    }

    private func token(_ header: JOSEHeader, _ payload: String = "{}") throws -> String {
        let unsigned = UnsignedJWS(header: header, payload: Array(payload.utf8))
        let signature = try privateKey.signature(for: unsigned.signingInput)
        return unsigned.signed(with: Array(signature.rawRepresentation))
    }

    @Test("A token signed elsewhere verifies, and its parts come back")
    func roundTrip() throws {
        let header = JOSEHeader(algorithm: .es256, keyID: "one", type: "JWT", contentType: "json")
        let verified = try CompactJWS(parsing: token(header, #"{"a":1}"#)).verified(by: publicKey())
        #expect(verified.payload == Array(#"{"a":1}"#.utf8))
        #expect(verified.header.keyID == "one" && verified.header.type == "JWT")
        #expect(verified.header.contentType == "json" && verified.header.algorithm == .es256)
    }

    @Test("A token that names another key is refused, one that names none is not")
    func keyIdentifiers() throws {
        let named = try CompactJWS(parsing: token(JOSEHeader(algorithm: .es256, keyID: "two")))
        #expect(throws: JOSEError.unknownKey) { try named.verified(by: publicKey()) }
        #expect(throws: Never.self) { try named.verified(by: publicKey(keyID: nil)) }
        #expect(throws: JOSEError.unknownKey) { try named.verified(by: JWKS([publicKey()])) }
        let unnamed = try CompactJWS(parsing: token(JOSEHeader(algorithm: .es256)))
        #expect(throws: Never.self) { try unnamed.verified(by: publicKey()) }
        #expect(throws: Never.self) { try unnamed.verified(by: JWKS([publicKey()])) }
        #expect(throws: JOSEError.unknownKey) {
            try unnamed.verified(by: JWKS([publicKey(), publicKey(keyID: "other")]))
        }
    }

    @Test("A flipped bit anywhere in the token is refused")
    func everyBit() throws {
        let original = Array(try token(JOSEHeader(algorithm: .es256, keyID: "one")).utf8)
        let key = try publicKey()
        for position in original.indices {
            var spoiled = original
            spoiled[position] ^= 0x01
            let text = String(decoding: spoiled, as: UTF8.self)
            #expect(throws: JOSEError.self, "\(position)") { try CompactJWS(parsing: text).verified(by: key) }
        }
    }

    @Test("A token cut off at any byte is refused")
    func everyTruncation() throws {
        let original = try token(JOSEHeader(algorithm: .es256))
        let key = try publicKey()
        for count in 0..<original.utf8.count {
            #expect(throws: JOSEError.self) {
                try CompactJWS(parsing: String(original.prefix(count))).verified(by: key)
            }
        }
    }

    @Test("A header that names an algorithm of another key is refused before anything is verified")
    func algorithmMismatch() throws {
        let token = try CompactJWS(parsing: token(JOSEHeader(algorithm: .rs256)))
        #expect(throws: JOSEError.algorithmMismatch) { try token.verified(by: publicKey()) }
    }

    @Test(
        "Header members that are not allowed are refused",
        arguments: [
            #"{"alg":"ES256","crit":["exp"],"exp":1}"#, #"{"alg":"ES256","crit":[]}"#, #"{"alg":"ES256","b64":true}"#,
            #"{"alg":"ES256","jwk":{}}"#, #"{"alg":"ES256","jku":"https://a.example"}"#, #"{"alg":"ES256","x5c":[]}"#,
            #"{"alg":"ES256","x5u":"https://a.example"}"#, #"{"alg":"ES256","zip":"DEF"}"#, #"{"kid":"one"}"#,
            #"{"alg":1}"#, #"{"alg":"ES256","kid":1}"#, "{}",
        ])
    func refusedHeaders(text: String) {
        #expect(throws: JOSEError.refusedHeader) { try JOSEHeader(json: Array(text.utf8)) }
    }

    @Test(
        "Headers that are no objects, or repeat a member, are refused",
        arguments: ["[]", "", "1", #"{"alg":"ES256","\u0061lg":"ES256"}"#])
    func malformedHeaders(text: String) {
        #expect(throws: JOSEError.malformedToken) { try JOSEHeader(json: Array(text.utf8)) }
    }

    @Test(
        "Algorithms that we do not offer are refused",
        arguments: ["none", "None", "HS256", "PS256", "ES384", "es256", ""])
    func algorithms(name: String) {
        #expect(throws: JOSEError.unsupportedAlgorithm) {
            try JOSEHeader(json: Array(#"{"alg":"\#(name)"}"#.utf8))
        }
    }

    @Test("Certificate hints are read over")
    func certificateHints() throws {
        let header = try JOSEHeader(json: Array(#"{"alg":"ES256","x5t":"abc","x5t#S256":"def"}"#.utf8))
        #expect(header.algorithm == .es256)
    }

    @Test("A token longer than the limit is refused")
    func tooLong() {
        let text = String(repeating: "A", count: CompactJWS.maximumByteCount + 1)
        #expect(throws: JOSEError.malformedToken) { try CompactJWS(parsing: text) }
    }
}
