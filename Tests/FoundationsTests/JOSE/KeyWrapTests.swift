import Crypto
import JOSE
import Octets
import StrictJSON
import TestSupport
import Testing

@Suite("AES key wrap (RFC 3394)", .enabled(if: VectorFolder.isPresent, VectorFolder.absence))
struct KeyWrapTests {
    @Test("RFC 3394, section 4: wrapped and unwrapped, bit by bit")
    func rfc3394() throws {
        for entry in try JSONValue.file("keywrap/rfc3394.json").objects("cases") {
            let wrappingKey = SymmetricKey(data: try Hex.decode(entry.string("kek_hex")))
            let key = SymmetricKey(data: try Hex.decode(entry.string("key_hex")))
            let wrapped = try Hex.decode(entry.string("wrapped_hex"))
            #expect(try KeyWrap.wrap(key, with: wrappingKey) == wrapped)
            #expect(try KeyWrap.unwrap(wrapped, with: wrappingKey) == key)
        }
    }

    @Test("aes_wrap: keys as stated, everything else is undecryptable, short keys too")
    func wycheproof() throws {
        for group in try JSONValue.file("wycheproof/aes_wrap_test.json").objects("testGroups") {
            for entry in try group.objects("tests") {
                let wrappingKey = SymmetricKey(data: try Hex.decode(entry.string("key")))
                let key = SymmetricKey(data: try Hex.decode(entry.string("msg")))
                let wrapped = try Hex.decode(entry.string("ct"))
                let name = try "\(entry.integer("tcId", as: Int.self)): \(entry.string("comment"))"
                switch try entry.string("result") {
                case "valid":
                    #expect(try KeyWrap.wrap(key, with: wrappingKey) == wrapped, "\(name)")
                    #expect(try KeyWrap.unwrap(wrapped, with: wrappingKey) == key, "\(name)")
                case "invalid", "acceptable":
                    #expect(throws: JOSEError.undecryptable, "\(name)") {
                        try KeyWrap.unwrap(wrapped, with: wrappingKey)
                    }
                case let other: Issue.record("unknown result \(other) of \(name)")
                }
            }
        }
    }

    @Test("Keys of other sizes are neither wrapped nor used for wrapping")
    func sizes() {
        let good = SymmetricKey(size: .bits128)
        for byteCount in [0, 7, 8, 17] {
            let bad = SymmetricKey(data: [UInt8](repeating: 1, count: byteCount))
            #expect(throws: JOSEError.unsupportedKey, "\(byteCount)") { try KeyWrap.wrap(bad, with: good) }
            #expect(throws: JOSEError.unsupportedKey, "\(byteCount)") { try KeyWrap.wrap(good, with: bad) }
        }
    }
}
