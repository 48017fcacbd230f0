import Crypto
import Foundation
import Octets
import StrictJSON
import TestSupport
import Testing

@testable import Authenticators

@Suite("scrypt (RFC 7914)", .enabled(if: VectorFolder.isPresent, VectorFolder.absence))
struct ScryptTests {
    @Test("Every vector gives its key")
    func keys() throws {
        let cases = try Self.cases(in: "kdf/scrypt.json", members: Self.keyMembers)
        #expect(!cases.isEmpty)
        for vector in cases {
            let cost = try ScryptCost(
                rounds: vector.integer("N"), blockSize: vector.integer("r"), parallelism: vector.integer("p"),
                memoryLimit: 1 << 30)
            let passphrase = try Hex.decode(vector.string("passphrase_hex"))
            let key = try passphrase.withUnsafeBytes {
                try SecretDerivation.scrypt(
                    $0, salt: Hex.decode(vector.string("salt_hex")), cost: cost, byteCount: vector.integer("dkLen"))
            }
            #expect(try key.withUnsafeBytes { Hex.encode($0) } == vector.string("key_hex"))
        }
    }

    @Test("A typed password leads to the key of its composed form, however it is typed")
    func passwords() throws {
        var composed = 0
        for vector in try Self.cases(in: "kdf/scrypt.json", members: Self.keyMembers) {
            let passphrase = try Hex.decode(vector.string("passphrase_hex"))
            guard let text = String(validating: passphrase, as: UTF8.self), passphrase.contains(where: { $0 >= 0x80 }),
                try vector.string("salt_hex").utf8.count > 0
            else { continue }
            let cost = try ScryptCost(
                rounds: vector.integer("N"), blockSize: vector.integer("r"), parallelism: vector.integer("p"))
            let key = try UserSecret.password(text).withUnsafeBytes { typed in
                try SecretDerivation.scrypt(
                    typed, salt: Hex.decode(vector.string("salt_hex")), cost: cost, byteCount: vector.integer("dkLen"))
            }
            let isComposed = text.precomposedStringWithCanonicalMapping.utf8.elementsEqual(text.utf8)
            #expect((try vector.string("key_hex") == key.withUnsafeBytes { Hex.encode($0) }) == isComposed)
            guard isComposed else { continue }
            composed += 1
            let decomposed = try UserSecret.password(text.decomposedStringWithCanonicalMapping)
            let again = try decomposed.withUnsafeBytes { typed in
                try SecretDerivation.scrypt(
                    typed, salt: Hex.decode(vector.string("salt_hex")), cost: cost, byteCount: vector.integer("dkLen"))
            }
            #expect(try again.withUnsafeBytes { Hex.encode($0) } == vector.string("key_hex"))
        }
        #expect(composed > 0)
    }

    @Test("Every set of parameters is accepted or refused as listed, before anything is allocated")
    func parameters() throws {
        let cases = try Self.cases(in: "kdf/scrypt-parameters.json", members: ["N", "r", "p", "expect", "why"])
        #expect(!cases.isEmpty)
        for vector in cases {
            let make = {
                _ = try ScryptCost(
                    rounds: vector.integer("N"), blockSize: vector.integer("r"), parallelism: vector.integer("p"))
            }
            switch try vector.string("expect") {
            case "accept": #expect(throws: Never.self, performing: make)
            case "reject": #expect(throws: ScryptCostError.self, performing: make)
            default: Issue.record("unknown expectation in \(vector)")
            }
        }
    }

    private static let keyMembers: Set<String> = [
        "origin", "passphrase_hex", "salt_hex", "N", "r", "p", "dkLen", "key_hex", "slow",
    ]

    /// The cases of a file; an unknown member fails the test.
    private static func cases(in path: String, members: Set<String>) throws -> [JSONObject] {
        let file = try JSONParser.parse(VectorFolder.bytes(of: path)).asObject()
        return try file.required("cases") { list throws(JSONTypeError) in
            try list.asArray { value throws(JSONTypeError) in
                let object = try value.asObject()
                #expect(object.members.allSatisfy { members.contains($0.name) })
                return object
            }
        }
    }
}
