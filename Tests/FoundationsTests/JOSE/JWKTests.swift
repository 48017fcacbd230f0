import Crypto
import JOSE
import Octets
import StrictJSON
import Testing

@Suite("JSON Web Keys (RFC 7517)")
struct JWKTests {
    private static let point = Array(P256.Signing.PrivateKey().publicKey.x963Representation)
    private static let x = Base64URL.encode(point[1...32])
    private static let y = Base64URL.encode(point[33...])

    private func key(_ changes: JSONObject = [:]) throws(JOSEError) -> JWK {
        let members: JSONObject = [
            "kty": .string("EC"), "crv": .string("P-256"), "x": .string(Self.x), "y": .string(Self.y),
        ]
        let kept = members.members.filter { changes[$0.name] == nil }
        return try JWK(.object(JSONObject(distinct: kept + changes.members)))
    }

    @Test("A key survives writing and reading")
    func roundTrip() throws {
        let original = try key(["kid": .string("k"), "use": .string("sig"), "key_ops": .array([.string("verify")])])
        let read = try JWK(json: original.json)
        #expect(read.material == original.material && read.keyID == "k" && read.use == .signature)
        #expect(read.operations == ["verify"])
    }

    @Test("A point off the curve, at infinity, or of another length is unsupported")
    func points() {
        let zeros = Base64URL.encode([UInt8](repeating: 0, count: 32))
        for y in [zeros, Self.x, Base64URL.encode(Self.point[34...]), Base64URL.encode([0] + Self.point[33...])] {
            #expect(throws: JOSEError.unsupportedKey) { try key(["y": .string(y)]) }
        }
    }

    @Test("Padding and missing or mistyped members make the key malformed")
    func malformed() {
        #expect(throws: JOSEError.malformedKey) { try key(["x": .string(Self.x + "=")]) }
        #expect(throws: JOSEError.malformedKey) { try key(["x": .integer(1)]) }
        #expect(throws: JOSEError.malformedKey) { try key(["kty": .null]) }
        #expect(throws: JOSEError.malformedKey) { try key(["kid": .integer(1)]) }
        #expect(throws: JOSEError.malformedKey) { try key(["key_ops": .string("verify")]) }
        #expect(throws: JOSEError.malformedKey) { try JWK(json: Array(#"{"kty":"EC","kty":"EC"}"#.utf8)) }
        #expect(throws: JOSEError.malformedKey) { try JWK(.array([])) }
    }

    @Test("Private members are refused", arguments: ["d", "p", "q", "dp", "dq", "qi", "oth", "k"])
    func privateMembers(name: String) {
        #expect(throws: JOSEError.privateKeyMaterial) { try key(JSONObject([name: .string("AA")])) }
    }

    @Test("A key for something else does not verify")
    func uses() throws {
        for changes: JSONObject in [
            ["use": .string("enc")], ["key_ops": .array([.string("encrypt")])], ["alg": .string("ES384")],
            ["alg": .string("RS256")], ["key_ops": .array([])],
        ] {
            let key = try key(changes)
            #expect(throws: JOSEError.unsupportedKey) { try key.verificationAlgorithm() }
        }
        #expect(try key(["alg": .string("ES256"), "use": .string("sig")]).verificationAlgorithm() == .es256)
    }

    @Test("RSA keys below 2048 or above 4096 bits, with leading zeros or odd exponents are unsupported")
    func rsaSizes() throws {
        let exponent: [UInt8] = [1, 0, 1]
        func modulus(_ bits: Int) -> [UInt8] { [0xC1] + [UInt8](repeating: 0x55, count: bits / 8 - 1) }
        for bits in [2048, 3072, 4096] {
            #expect(throws: Never.self) { try JWK(verifying: .rsa(modulus: modulus(bits), exponent: exponent)) }
        }
        for bits in [1024, 2040, 4104, 8192] {
            #expect(throws: JOSEError.unsupportedKey, "\(bits)") {
                try JWK(verifying: .rsa(modulus: modulus(bits), exponent: exponent))
            }
        }
        #expect(throws: JOSEError.unsupportedKey) {
            try JWK(verifying: .rsa(modulus: [0] + modulus(2048), exponent: exponent))
        }
        #expect(throws: JOSEError.unsupportedKey) { try JWK(verifying: .rsa(modulus: [], exponent: exponent)) }
        for bad: [UInt8] in [[], [3], [1, 0, 0], [0, 1, 0, 1], [1, 0, 0, 0, 1]] {
            #expect(throws: JOSEError.unsupportedKey) {
                try JWK(verifying: .rsa(modulus: modulus(2048), exponent: bad))
            }
        }
    }

    @Test("A set leaves out keys that cannot be used, and refuses private keys")
    func sets() throws {
        let one = JSONWriter.text(.object(try key(["kid": .string("one")]).members))
        func set(_ keys: String...) throws -> JWKS {
            try JWKS(json: Array(#"{"keys":[\#(keys.joined(separator: ","))]}"#.utf8))
        }
        let mixed = try set(
            one, #"{"kty":"OKP","crv":"Ed25519","x":"AA"}"#, #"{"kty":"oct","k":"AA"}"#,
            #"{"kty":"EC","crv":"P-384","x":"AA","y":"AA"}"#, #"{"kid":"x"}"#, "null", "1", "{}",
            #"{"kty":"AKP","pub":"AA"}"#,
            #"{"kty":"RSA"}"#, #"{"kty":"EC","crv":"P-256","x":"!","y":"AA"}"#, #"{"kty":"EC","kid":1}"#, #"{"kty":1}"#)
        #expect(mixed.keys.count == 1 && mixed.hasVerificationKey)
        #expect(mixed.key(id: "one") != nil && mixed.key(id: "two") == nil)
        #expect(try set(one, one).keys.count == 1)
        #expect(try set(one.replacing("\"kid\"", with: "\"key_ops\":null,\"kid\"")).keys.count == 1)
        #expect(throws: JOSEError.privateKeyMaterial) { try set(one.replacing("\"kid\"", with: "\"d\"")) }
        #expect(throws: JOSEError.malformedKey) { try JWKS(json: Array("[]".utf8)) }
        #expect(try JWKS(json: mixed.json).keys.count == 1)
        #expect(try set().keys.isEmpty)
        #expect(try !set(one.replacing("\"kid\"", with: "\"use\":\"enc\",\"kid\"")).hasVerificationKey)
    }
}
