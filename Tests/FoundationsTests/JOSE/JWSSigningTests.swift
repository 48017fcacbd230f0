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

    @Test(
        "Of keys of two kinds with one identifier the algorithm decides (RFC 7517, 4.5); of two of a kind none is taken"
    )
    func sharedIdentifiers() throws {
        let rsa = try JWK(
            verifying: .rsa(modulus: [0xC1] + [UInt8](repeating: 0x55, count: 255), exponent: [1, 0, 1]), keyID: "one")
        let named = try CompactJWS(parsing: token(JOSEHeader(algorithm: .es256, keyID: "one")))
        for keys in [[rsa, try publicKey()], [try publicKey(), rsa]] {
            #expect(throws: Never.self) { try named.verified(by: JWKS(keys)) }
            #expect(throws: Never.self) { try named.verified(by: JWKS(json: JWKS(keys).json)) }
        }
        #expect(throws: JOSEError.algorithmMismatch) { try named.verified(by: JWKS([rsa])) }
        let other = try JWSSigningTests().publicKey()
        #expect(throws: JOSEError.malformedKey) { try JWKS([publicKey(), other]) }
        let texts = try [publicKey(), other].map { String(decoding: $0.json, as: UTF8.self) }.joined(separator: ",")
        let ambiguous = try JWKS(json: Array(#"{"keys":[\#(texts)]}"#.utf8))
        #expect(throws: JOSEError.unknownKey) { try named.verified(by: ambiguous) }
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
        "Extensions that are critical or change what is signed, and understood members that are no text, are refused",
        arguments: [
            #"{"alg":"ES256","crit":["exp"],"exp":1}"#, #"{"alg":"ES256","crit":[]}"#, #"{"alg":"ES256","crit":null}"#,
            #"{"alg":"ES256","b64":false}"#, #"{"alg":"ES256","b64":"true"}"#, #"{"kid":"one"}"#, #"{"alg":1}"#,
            #"{"alg":"ES256","kid":1}"#, #"{"alg":"ES256","typ":null}"#, "{}",
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

    @Test(
        "Members that are not understood are ignored, of whatever type (RFC 7515, 4)",
        arguments: [
            #""x5t":"abc","x5t#S256":"def""#, #""ver":1"#, #""x5c":["MIIB"]"#, #""jwk":{"kty":"EC"}"#, #""zip":"DEF""#,
            #""jku":"https://a.example","x5u":null"#, #""b64":true"#, #""Alg":"none","CRIT":["x"]"#,
        ])
    func unknownMembers(members: String) throws {
        let header = try JOSEHeader(json: Array(#"{"alg":"ES256","kid":"one",\#(members)}"#.utf8))
        #expect(header.algorithm == .es256 && header.keyID == "one" && header.type == nil)
    }

    @Test("A token longer than the limit is refused")
    func tooLong() {
        let text = String(repeating: "A", count: CompactJWS.maximumByteCount + 1)
        #expect(throws: JOSEError.malformedToken) { try CompactJWS(parsing: text) }
    }
}
