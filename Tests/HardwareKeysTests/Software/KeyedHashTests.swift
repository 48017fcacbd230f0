import Crypto
import HardwareKeys
import Testing

@Suite("RFC 2104: a key that is laid out for many codes")
struct KeyedHashTests {
    private static let counts = [0, 1, 31, 32, 55, 56, 63, 64, 65, 96, 119, 128, 200]

    @Test(
        "Each code is the same as the cryptographic library's, with messages and keys shorter and longer than a block",
        arguments: counts, counts)
    func hmac(messageCount: Int, keyCount: Int) {
        let (message, key) = ([UInt8](repeating: 3, count: messageCount), [UInt8](repeating: 77, count: keyCount))
        let hash = key.withUnsafeBytes { KeyedHash(key: $0) }
        let expected = Array(HMAC<SHA256>.authenticationCode(for: message, using: SymmetricKey(data: key)))
        #expect(message.withUnsafeBytes { hash.code(of: $0) } == expected)
        let half = messageCount / 2
        let (one, two) = (Array(message[..<half]), Array(message[half...]))
        let joined = one.withUnsafeBytes { one in two.withUnsafeBytes { hash.code(of: one, $0) } }
        #expect(joined == expected, "the second message, in two pieces")
    }
}
