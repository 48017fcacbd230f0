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
        let again = message.withUnsafeBytes { message in
            one.withUnsafeBytes { one in two.withUnsafeBytes { hash.code(of: message, one, $0) } }
        }
        let twice = HMAC<SHA256>.authenticationCode(for: message + message, using: SymmetricKey(data: key))
        #expect(again == Array(twice), "the third message, in three pieces")
    }

    @Test("A code is known by any number of its first bytes, and by none that are others")
    func comparison() {
        let (key, message) = ([UInt8](repeating: 77, count: 32), Array("message".utf8))
        let hash = key.withUnsafeBytes { KeyedHash(key: $0) }
        let isCode = { (code: [UInt8], message: [UInt8]) in
            code.withUnsafeBytes { code in message.withUnsafeBytes { hash.isCode(code, of: $0) } }
        }
        let code = message.withUnsafeBytes { hash.code(of: $0) }
        for count in 1...32 {
            var changed = Array(code[..<count])
            #expect(isCode(changed, message))
            #expect(!isCode(changed, Array("another".utf8)))
            changed[count - 1] ^= 1
            #expect(!isCode(changed, message), "byte \(count)")
        }
        #expect(!isCode(code + [0], message), "longer than a code")
    }
}
