import Crypto
import HardwareKeys
import Octets
import TestSupport
import Testing

@Suite("SecretHash gives what the cryptographic library gives")
struct SecretHashTests {
    private static let counts = [0, 1, 31, 32, 55, 56, 63, 64, 65, 96, 119, 128, 200]

    private func octets(_ count: Int, _ first: UInt8) -> [UInt8] {
        (0..<count).map { first &+ UInt8(truncatingIfNeeded: $0) }
    }

    @Test("SHA-256, of one piece and of two", arguments: counts)
    func sha256(count: Int) {
        let (one, two) = (octets(count, 1), octets(70, 9))
        let whole = one.withUnsafeBytes { SecretHash.sha256($0) }
        #expect(whole.exposed == Array(SHA256.hash(data: one)))
        let joined = one.withUnsafeBytes { one in two.withUnsafeBytes { SecretHash.sha256(one, $0) } }
        #expect(joined.exposed == Array(SHA256.hash(data: one + two)))
    }

    @Test("HKDF, with and without salt", arguments: [0, 16, 32, 100], [0, 1, 31, 32, 64, 96])
    func hkdf(saltCount: Int, materialCount: Int) {
        let (salt, material, info) = (octets(saltCount, 5), octets(materialCount, 6), octets(saltCount / 2, 7))
        let derived = material.withUnsafeBytes { SecretHash.hkdf(from: $0, salt: salt, info: info) }
        let expected = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: material), salt: salt, info: info, outputByteCount: 32)
        #expect(derived.exposed == expected.withUnsafeBytes { Array($0) })
    }

    @Test("HKDF of RFC 5869, appendix A.1")
    func published() throws {
        let material = [UInt8](repeating: 0x0B, count: 22)
        let derived = material.withUnsafeBytes {
            SecretHash.hkdf(from: $0, salt: Array(0x00...0x0C), info: Array(0xF0...0xF9))
        }
        let expected = try Hex.decode("3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf")
        #expect(derived.exposed == expected)
    }
}
