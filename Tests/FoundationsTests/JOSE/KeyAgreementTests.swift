import Crypto
import JOSE
import Octets
import StrictJSON
import TestSupport
import Testing

@Suite("Wycheproof, key agreement", .enabled(if: VectorFolder.isPresent, VectorFolder.absence))
struct KeyAgreementTests {
    /// Judges every case of a file: `publicKey` reads its public key, `privateKey` its private one.
    private func judge(
        _ file: String, publicKey: (JSONObject) throws -> JWK,
        privateKey: (JSONObject) throws -> [UInt8] = { try KeyAgreementTests.integer($0.string("private")) }
    ) throws {
        for group in try JSONValue.file("wycheproof/\(file)_test.json").objects("testGroups") {
            for entry in try group.objects("tests") {
                let name = try "\(entry.integer("tcId", as: Int.self)): \(entry.string("comment"))"
                switch try entry.string("result") {
                case "valid":
                    let key = try P256.KeyAgreement.PrivateKey(rawRepresentation: privateKey(entry))
                    let secret = try EphemeralAgreement(privateKey: key).secret(with: publicKey(entry))
                    let expected = try Hex.decode(entry.string("shared"))
                    #expect(secret.withUnsafeBytes { Array($0) } == expected, "\(name)")
                case "invalid", "acceptable":
                    // What is only acceptable are compressed points and other spellings than the one we want.
                    #expect(throws: JOSEError.self, "\(name)") { try publicKey(entry) }
                case let other: Issue.record("unknown result \(other) of \(name)")
                }
            }
        }
    }

    /// A private key that the vectors write as an integer, in the 32 bytes of P-256.
    private static func integer(_ text: String) throws -> [UInt8] {
        let digits = Array(try Hex.decode(text).drop { $0 == 0 })
        return [UInt8](repeating: 0, count: 32 - digits.count) + digits
    }

    @Test("ecdh_secp256r1_ecpoint: points as stated, compressed ones refused")
    func points() throws {
        try judge("ecdh_secp256r1_ecpoint") {
            try JWK(encrypting: JWK.Material(p256Point: Hex.decode($0.string("public"))))
        }
    }

    @Test("ecdh_secp256r1: SubjectPublicKeyInfo as stated, other spellings and curves refused")
    func subjectPublicKeyInfo() throws {
        try judge("ecdh_secp256r1") {
            try JWK(encrypting: JWK.Material(p256SubjectPublicKeyInfo: Hex.decode($0.string("public"))))
        }
    }

    @Test("ecdh_secp256r1_webcrypto: JSON Web Keys as stated, points off the curve and other curves refused")
    func webKeys() throws {
        try judge(
            "ecdh_secp256r1_webcrypto", publicKey: { try JWK(.object($0.object("public"))) },
            privateKey: { try $0.object("private").octets("d") })
    }
}
