import Crypto
import Testing

@testable import SecureStorage

@Suite("6.2: what stands before a value and is sealed with it")
struct ValueContextTests {
    private let key = SymmetricKey(size: .bits256)

    private func context(
        _ name: String, generation: UInt64 = 7, kind: EntryKind = .string
    ) throws -> ValueContext {
        ValueContext(putGeneration: generation, kind: kind, name: try EntryName(key: name))
    }

    private func opened(_ sealed: SealedValue, as context: ValueContext) -> [UInt8]? {
        sealed.opened(using: key) { bytes in context.value(of: bytes).map { Array($0) } } ?? nil
    }

    @Test("A value of any length comes back behind its own context", arguments: [0, 1, 2, 15, 16, 300])
    func right(count: Int) throws {
        let value = [UInt8](repeating: 5, count: count)
        for name in ["a", String(repeating: "n", count: EntryName.byteLimit)] {
            let sealed = try value.withUnsafeBytes { try context(name).seal($0, using: key, nonce: AES.GCM.Nonce()) }
            #expect(sealed.plainByteCount == 15 + name.utf8.count + count)
            #expect(opened(sealed, as: try context(name)) == value)
        }
    }

    @Test("Behind any other one it does not, not even where the name's end would pass for the value's beginning")
    func wrong() throws {
        let sealed = try [UInt8](repeating: 98, count: 3).withUnsafeBytes {
            try context("ab").seal($0, using: key, nonce: AES.GCM.Nonce())
        }
        for other in [
            try context("a"), try context("abb"), try context("ac"), try context("abbbbbbb"),
            try context("ab", generation: 8), try context("ab", generation: 7 << 56),
            try context("ab", kind: .bytes),
        ] {
            #expect(opened(sealed, as: other) == nil)
        }
    }

    @Test("A value that was sealed as something else has no context")
    func foreign() throws {
        for count in [0, 14, 15, 16, 40] {
            let sealed = try [UInt8](repeating: 0, count: count).withUnsafeBytes {
                try SealedValue($0, using: key, nonce: AES.GCM.Nonce())
            }
            #expect(opened(sealed, as: try context("a")) == nil)
        }
    }
}
