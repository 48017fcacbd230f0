import Crypto
import JOSE
import Octets
import StrictJSON
import Testing

/// Attack row A-14 of the assurance document.
@Suite("A-14: attacks with headers")
struct JOSEAttackTests {
    private let receiver = JWEReceiver()
    private let signer = P256.Signing.PrivateKey()

    private var signingKey: JWK {
        get throws { try JWK(verifying: JWK.Material(p256Point: Array(signer.publicKey.x963Representation))) }
    }

    /// A token whose header the attacker wrote; the other parts are from a good one.
    private func sealed(_ header: String) throws -> String {
        let good = try CompactJWE.seal(Array("secret".utf8), to: receiver.publicKey)
        let parts = good.split(separator: ".", omittingEmptySubsequences: false).dropFirst().joined(separator: ".")
        return "\(Base64URL.encode(Array(header.utf8))).\(parts)"
    }

    /// A token that the attacker signed with `signature` over a header of his.
    private func signed(_ header: String, _ signature: ([UInt8]) throws -> [UInt8]) rethrows -> String {
        let input = "\(Base64URL.encode(Array(header.utf8))).\(Base64URL.encode(Array("{}".utf8)))"
        return "\(input).\(Base64URL.encode(try signature(Array(input.utf8))))"
    }

    private var point: String {
        get throws { String(decoding: try JWKText.withoutUse(receiver.publicKey), as: UTF8.self) }
    }

    @Test("A-14: algorithm confusion: a public key is no MAC key, and 'none' signs nothing")
    func algorithmConfusionOfSignatures() throws {
        let key = try signingKey
        let secrets = [
            key.json, Array(signer.publicKey.pemRepresentation.utf8), Array(signer.publicKey.x963Representation),
        ]
        for name in ["HS256", "HS384", "HS512"] {
            for secret in secrets {
                let token = signed(#"{"alg":"\#(name)"}"#) {
                    Array(HMAC<SHA256>.authenticationCode(for: $0, using: SymmetricKey(data: secret)))
                }
                #expect(throws: JOSEError.unsupportedAlgorithm) { try CompactJWS(parsing: token).verified(by: key) }
            }
        }
        for name in ["none", "None", "NONE", "nOnE", ""] {
            let token = signed(#"{"alg":"\#(name)"}"#) { _ in [] }
            #expect(throws: JOSEError.unsupportedAlgorithm) { try CompactJWS(parsing: token).verified(by: key) }
        }
        let token = try signed(#"{"alg":"RS256"}"#) { Array(try signer.signature(for: $0).rawRepresentation) }
        #expect(throws: JOSEError.algorithmMismatch) { try CompactJWS(parsing: token).verified(by: key) }
    }

    @Test("A-14: algorithm confusion: a token names no other algorithm than the receiver's key has")
    func algorithmConfusionOfEncryption() throws {
        for name in ["dir", "A128KW", "A256KW", "A256GCMKW", "RSA1_5", "RSA-OAEP", "ECDH-ES+A192KW", "none", "ecdh-es"]
        {
            let token = try sealed(#"{"alg":"\#(name)","enc":"A256GCM","epk":\#(point)}"#)
            #expect(throws: JOSEError.unsupportedAlgorithm, "\(name)") { try receiver.open(token) }
        }
        for name in ["A192GCM", "A192CBC-HS384", "A128CBC", "none", "a256gcm"] {
            let token = try sealed(#"{"alg":"ECDH-ES+A256KW","enc":"\#(name)","epk":\#(point)}"#)
            #expect(throws: JOSEError.unsupportedAlgorithm, "\(name)") { try receiver.open(token) }
        }
        let acceptance = try JWEAcceptance(holderOf: receiver.publicKey)
        let weaker = try sealed(#"{"alg":"ECDH-ES+A128KW","enc":"A256GCM","epk":\#(point)}"#)
        #expect(throws: JOSEError.algorithmMismatch) { try receiver.open(weaker, accepting: acceptance) }
    }

    @Test("A-14: a signed token is no encrypted one, nor the reverse")
    func otherKindOfToken() throws {
        let token = try signed(#"{"alg":"ES256"}"#) { Array(try signer.signature(for: $0).rawRepresentation) }
        #expect(throws: Never.self) { try CompactJWS(parsing: token).verified(by: signingKey) }
        #expect(throws: JOSEError.malformedToken) { try CompactJWE(parsing: token) }
        let encrypted = try CompactJWE.seal([], to: receiver.publicKey)
        #expect(throws: JOSEError.malformedToken) { try CompactJWS(parsing: encrypted) }
    }

    @Test(
        "A-14: a key that the token brings or points to is never used",
        arguments: ["jwk", "jku", "x5c", "x5u", "x5t"])
    func suppliedKeys(name: String) throws {
        let attacker = P256.Signing.PrivateKey()
        let own = try JWK(verifying: JWK.Material(p256Point: Array(attacker.publicKey.x963Representation)))
        let value: String =
            switch name {
            case "jwk": String(decoding: own.json, as: UTF8.self)
            case "x5c": #"["MIIB"]"#
            default: #""https://attacker.example/keys""#
            }
        let token = try signed(#"{"alg":"ES256","\#(name)":\#(value)}"#) {
            Array(try attacker.signature(for: $0).rawRepresentation)
        }
        // The member is ignored, and the signature is judged with our key.
        #expect(throws: JOSEError.invalidSignature) { try CompactJWS(parsing: token).verified(by: signingKey) }
        #expect(throws: JOSEError.invalidSignature) { try CompactJWS(parsing: token).verified(by: JWKS([signingKey])) }
        let honest = try signed(#"{"alg":"ES256","\#(name)":\#(value)}"#) {
            Array(try signer.signature(for: $0).rawRepresentation)
        }
        #expect(throws: Never.self) { try CompactJWS(parsing: honest).verified(by: signingKey) }
        let encrypted = try sealed(#"{"alg":"ECDH-ES+A256KW","enc":"A256GCM","epk":\#(point),"\#(name)":\#(value)}"#)
        #expect(throws: JOSEError.refusedHeader) { try receiver.open(encrypted) }
    }

    @Test("A-14: zip bomb: compressed content is refused before anything is decrypted", arguments: ["DEF", "GZIP", ""])
    func compression(name: String) throws {
        let header = try #"{"alg":"ECDH-ES+A256KW","enc":"A256GCM","epk":\#(point),"zip":"\#(name)"}"#
        #expect(throws: JOSEError.refusedHeader) { try CompactJWE(parsing: sealed(header)) }
        // The form by which some libraries are led to treat a member as understood.
        let critical = try #"{"alg":"ECDH-ES","enc":"A256GCM","epk":\#(point),"zip":"DEF","crit":["zip"]}"#
        #expect(throws: JOSEError.refusedHeader) { try CompactJWE(parsing: sealed(critical)) }
    }

    @Test(
        "A-14: password algorithms are refused without a single iteration",
        arguments: ["PBES2-HS256+A128KW", "PBES2-HS384+A192KW", "PBES2-HS512+A256KW"])
    func passwordIterations(name: String) throws {
        let bomb = #"{"alg":"\#(name)","enc":"A256GCM","p2s":"AAAAAAAAAAA","p2c":2147483647}"#
        #expect(throws: JOSEError.refusedHeader) { try CompactJWE(parsing: sealed(bomb)) }
        let plain = try #"{"alg":"\#(name)","enc":"A256GCM","epk":\#(point)}"#
        #expect(throws: JOSEError.unsupportedAlgorithm) { try CompactJWE(parsing: sealed(plain)) }
    }

    @Test("A-14: an invalid point never meets the private key")
    func invalidCurve() throws {
        let text = try CompactJWE.seal([], to: receiver.publicKey)
        guard case .p256(let x, let y) = try CompactJWE(parsing: text).header.ephemeralKey else {
            Issue.record("there is no point in the header")
            return
        }
        let twisted: JSONObject = [
            "kty": .string("EC"), "crv": .string("P-256"), "x": .string(Base64URL.encode(y)),
            "y": .string(Base64URL.encode(x)),
        ]
        let token = try sealed(#"{"alg":"ECDH-ES","enc":"A256GCM","epk":\#(JSONWriter.text(.object(twisted)))}"#)
        #expect(throws: JOSEError.refusedHeader) { try CompactJWE(parsing: token) }
    }

    @Test("A-14: an extension called critical is refused, also one that everybody knows")
    func criticalExtensions() throws {
        for extra in [#""crit":["b64"],"b64":false"#, #""crit":["exp"],"exp":1"#, #""crit":[]"#, #""b64":false"#] {
            let token = try signed(#"{"alg":"ES256",\#(extra)}"#) {
                Array(try signer.signature(for: $0).rawRepresentation)
            }
            #expect(throws: JOSEError.refusedHeader) { try CompactJWS(parsing: token).verified(by: signingKey) }
            let encrypted = try sealed(#"{"alg":"ECDH-ES","enc":"A256GCM","epk":\#(point),\#(extra)}"#)
            #expect(throws: JOSEError.refusedHeader) { try receiver.open(encrypted) }
        }
    }
}
