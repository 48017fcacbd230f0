import Crypto
import Octets

/// HMAC-SHA256 (RFC 2104) under one key, which is laid out once for as many messages as come.
///
/// The state of a hash behind the padded key is as good as the key, so this object is to live no longer than it takes to
/// go through the messages. At its end the states are overwritten, as the copy that each message takes is behind it.
package final class KeyedHash {
    /// Bytes of a block of SHA-256; a longer key is replaced by its hash.
    static let blockByteCount = 64
    static let byteCount = 32

    private var inner: SHA256
    private var outer: SHA256

    package init(key: UnsafeRawBufferPointer) {
        if key.count > Self.blockByteCount {
            let short = SecretHash.sha256(key)
            inner = short.withUnsafeBytes { Self.hash(behind: $0, 0x36) }
            outer = short.withUnsafeBytes { Self.hash(behind: $0, 0x5C) }
        } else {
            inner = Self.hash(behind: key, 0x36)
            outer = Self.hash(behind: key, 0x5C)
        }
    }

    deinit {
        SecretHash.overwrite(&inner)
        SecretHash.overwrite(&outer)
    }

    /// The code of pieces, one after the other: 32 bytes.
    package func code(
        of first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer = .none,
        _ third: UnsafeRawBufferPointer = .none
    ) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: Self.byteCount) { code, count in
            write(codeOf: first, second, third, to: UnsafeMutableRawBufferPointer(code))
            count = Self.byteCount
        }
    }

    /// Whether the code of pieces begins with these bytes; compared in constant time.
    package func isCode(
        _ code: UnsafeRawBufferPointer, of first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer = .none,
        _ third: UnsafeRawBufferPointer = .none
    ) -> Bool {
        withUnsafeTemporaryAllocation(byteCount: Self.byteCount, alignment: 8) { expected in
            write(codeOf: first, second, third, to: expected)
            let start = UnsafeRawBufferPointer(rebasing: expected.prefix(code.count))
            return (try? ConstantTimeEquality.require(code, equals: start)) != nil
        }
    }

    /// Writes the code of pieces into 32 bytes.
    func write(
        codeOf first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer = .none,
        _ third: UnsafeRawBufferPointer = .none, to target: UnsafeMutableRawBufferPointer
    ) {
        withUnsafeTemporaryAllocation(byteCount: Self.byteCount, alignment: 8) { between in
            // Where the key is known, as in HKDF, this is as good as the code.
            defer { SecretOctets.wipe(between) }
            SecretHash.finish(inner, over: first, second, third, into: between)
            SecretHash.finish(outer, over: UnsafeRawBufferPointer(between), into: target)
        }
    }

    private static func hash(behind key: UnsafeRawBufferPointer, _ mask: UInt8) -> SHA256 {
        let padded = SecretOctets(count: blockByteCount) { block in
            for index in block.indices { block[index] = (index < key.count ? key[index] : 0) ^ mask }
        }
        var hash = SHA256()
        padded.withUnsafeBytes { hash.update(bufferPointer: $0) }
        return hash
    }
}

extension UnsafeRawBufferPointer {
    /// No bytes.
    package static var none: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: nil, count: 0) }
}
