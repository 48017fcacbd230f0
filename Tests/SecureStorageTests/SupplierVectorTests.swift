import Crypto
import CryptoExtras
import Foundation
import Octets
import StrictJSON
import TestSupport
import Testing

/// HKDF and PBKDF2 are called with parameters of Signet's own everywhere, ChaCha20-Poly1305 nowhere yet, so the vectors
/// judge the supplier, swift-crypto.
@Suite(
    "O-J5: derivations and ciphers of the supplier give what the published sets say",
    .enabled(if: VectorFolder.isPresent, VectorFolder.absence))
struct SupplierVectorTests {
    @Test("HKDF with SHA-256 (RFC 5869, appendix A; Wycheproof): every output, and nothing longer than it may be")
    func hkdf() throws {
        for vector in try Self.cases(in: "kdf/hkdf-sha256.json") {
            let key = try Self.hkdf(
                vector.octets("ikm_hex"), vector.octets("salt_hex"), vector.octets("info_hex"), vector.number("L"))
            #expect(try key == vector.octets("okm_hex"))
        }
        for vector in try Self.wycheproof("hkdf_sha256") {
            let size = try vector.number("size")
            switch try vector.string("result") {
            case "valid":
                let key = try Self.hkdf(vector.octets("ikm"), vector.octets("salt"), vector.octets("info"), size)
                #expect(try key == vector.octets("okm"), "case \(vector.name)")
            // The supplier traps; all our outputs have a size that is written in the code.
            case "invalid": #expect(size > 255 * SHA256.byteCount, "case \(vector.name)")
            case let other: Issue.record("unknown result \(other) of case \(vector.name)")
            }
        }
    }

    @Test("PBKDF2 with HMAC-SHA-256 (RFC 7914, 11; Wycheproof): every key")
    func pbkdf2() throws {
        for vector in try Self.cases(in: "kdf/pbkdf2-hmac-sha256.json") {
            let key = try Self.pbkdf2(
                vector.octets("passphrase_hex"), vector.octets("salt_hex"), vector.number("iterations"),
                vector.number("dkLen"))
            #expect(try key == vector.octets("key_hex"))
        }
        for vector in try Self.wycheproof("pbkdf2_hmacsha256") {
            #expect(try vector.string("result") == "valid", "case \(vector.name)")
            let key = try Self.pbkdf2(
                vector.octets("password"), vector.octets("salt"), vector.number("iterationCount"),
                vector.number("dkLen"))
            #expect(try key == vector.octets("dk"), "case \(vector.name)")
        }
    }

    @Test("ChaCha20-Poly1305 (RFC 8439; Wycheproof): what is valid opens and seals again, all else is refused")
    func chaCha() throws {
        for vector in try Self.wycheproof("chacha20_poly1305") {
            let seal = { () throws -> ChaChaPoly.SealedBox in
                try ChaChaPoly.SealedBox(
                    nonce: ChaChaPoly.Nonce(data: vector.octets("iv")), ciphertext: vector.octets("ct"),
                    tag: vector.octets("tag"))
            }
            let open = { () throws -> [UInt8] in
                let key = SymmetricKey(data: try vector.octets("key"))
                return Array(try ChaChaPoly.open(try seal(), using: key, authenticating: vector.octets("aad")))
            }
            switch try vector.string("result") {
            case "valid":
                #expect(try open() == vector.octets("msg"), "case \(vector.name)")
                let again = try ChaChaPoly.seal(
                    vector.octets("msg"), using: SymmetricKey(data: vector.octets("key")),
                    nonce: ChaChaPoly.Nonce(data: vector.octets("iv")), authenticating: vector.octets("aad"))
                #expect(try Array(again.ciphertext) == vector.octets("ct"), "case \(vector.name)")
                #expect(try Array(again.tag) == vector.octets("tag"), "case \(vector.name)")
            case "invalid": #expect(throws: (any Error).self, "case \(vector.name)") { try open() }
            case let other: Issue.record("unknown result \(other) of case \(vector.name)")
            }
        }
    }

    // MARK: - Steps

    private static func hkdf(_ secret: [UInt8], _ salt: [UInt8], _ info: [UInt8], _ count: Int) -> [UInt8] {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: secret), salt: salt, info: info, outputByteCount: count
        ).withUnsafeBytes { Array($0) }
    }

    private static func pbkdf2(
        _ password: [UInt8], _ salt: [UInt8], _ rounds: Int, _ count: Int
    ) throws -> [UInt8] {
        try KDF.Insecure.PBKDF2.deriveKey(
            from: password, salt: salt, using: .sha256, outputByteCount: count, unsafeUncheckedRounds: rounds
        ).withUnsafeBytes { Array($0) }
    }

    private static func wycheproof(_ name: String) throws -> [JSONObject] {
        let groups = try objects("testGroups", of: file("wycheproof/\(name)_test.json"))
        return try groups.flatMap { try objects("tests", of: $0) }
    }

    private static func cases(in path: String) throws -> [JSONObject] { try objects("cases", of: file(path)) }

    private static func file(_ path: String) throws -> JSONObject {
        try JSONParser.parse(VectorFolder.bytes(of: path), limits: .document).asObject()
    }

    private static func objects(_ name: String, of object: JSONObject) throws -> [JSONObject] {
        try object.required(name) { value throws(JSONTypeError) in
            try value.asNonEmptyArray { element throws(JSONTypeError) in try element.asObject() }
        }
    }
}

extension JSONObject {
    fileprivate var name: String { (try? number("tcId")).map { String($0) } ?? "without number" }

    fileprivate func number(_ name: String) throws -> Int { try integer(name) }

    fileprivate func octets(_ name: String) throws -> [UInt8] { try Hex.decode(string(name)) }
}
