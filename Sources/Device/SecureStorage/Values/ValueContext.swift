import Crypto
import Octets

/// Associated data of a sealed value, so that it opens under no other name, type or commit.
///
/// Another storage has other keys. Label 5, generation 8, type 1, length of the name 1, name: the length keeps the end
/// of a name apart from the beginning of a value.
struct ValueContext {
    private static let label = Array("SST1v".utf8)
    private static let fixedByteCount = label.count + 8 + 1 + 1

    let putGeneration: UInt64
    let kind: EntryKind
    let name: EntryName

    static func byteCount(for name: EntryName) -> Int { fixedByteCount + name.text.utf8.count }

    /// Seals a value behind its context.
    ///
    /// Both lie side by side in memory of our own, which is wiped.
    func seal(
        _ plain: UnsafeRawBufferPointer, using key: SymmetricKey, nonce: AES.GCM.Nonce
    ) throws(SecureStorageError) -> SealedValue {
        let start = Self.byteCount(for: name)
        return try withUnsafeTemporaryAllocation(byteCount: start + plain.count, alignment: 8) {
            buffer throws(SecureStorageError) -> SealedValue in
            defer { SecretOctets.wipe(buffer) }
            write(to: buffer)
            UnsafeMutableRawBufferPointer(rebasing: buffer[start...]).copyMemory(from: plain)
            return try SealedValue(UnsafeRawBufferPointer(buffer), using: key, nonce: nonce)
        }
    }

    /// The value behind its context; nil when it stands behind another one.
    func value(of opened: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        let count = Self.byteCount(for: name)
        let start = Self.label.count
        guard opened.count >= count, opened.starts(with: Self.label),
            UInt64(littleEndian: opened.loadUnaligned(fromByteOffset: start, as: UInt64.self)) == putGeneration,
            opened[start + 8] == kind.rawValue
        else { return nil }
        let named = UnsafeRawBufferPointer(rebasing: opened[Self.fixedByteCount..<count])
        var text = name.text
        guard opened[start + 9] == UInt8(truncatingIfNeeded: named.count),
            text.withUTF8({ named.elementsEqual(UnsafeRawBufferPointer($0)) })
        else { return nil }
        return UnsafeRawBufferPointer(rebasing: opened[count...])
    }

    private func write(to buffer: UnsafeMutableRawBufferPointer) {
        var offset = Self.label.count
        buffer.copyBytes(from: Self.label)
        for byte in 0..<8 { buffer[offset + byte] = UInt8(truncatingIfNeeded: putGeneration >> (8 * UInt64(byte))) }
        offset += 8
        let octets = name.text.utf8
        buffer[offset] = kind.rawValue
        buffer[offset + 1] = UInt8(truncatingIfNeeded: octets.count)
        UnsafeMutableRawBufferPointer(rebasing: buffer[(offset + 2)...]).copyBytes(from: octets)
    }
}
