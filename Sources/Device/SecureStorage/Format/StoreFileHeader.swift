import HardwareKeys
import Octets

/// The first 128 bytes of a file in format `SST`, version 1; little-endian, no padding.
///
/// It holds what is needed to find the key, and nothing of it is believed before the file's HMAC was checked.
struct StoreFileHeader: Hashable, Sendable {
    static let byteCount = 128
    /// The last bytes show damage by a transfer as text.
    static let magic: [UInt8] = [0x89, 0x53, 0x53, 0x54, 0x0D, 0x0A, 0x1A, 0x0A]
    static let major: UInt16 = 1
    static let suite: UInt8 = 1

    static let storageIDByteCount = 16
    static let saltByteCount = 32

    /// What holds for the whole storage, bits of the field at offset 104.
    struct Flags: OptionSet, Hashable, Sendable {
        var rawValue: UInt64
        static let namesInClear = Flags(rawValue: 1)
        static let fingerprint = Flags(rawValue: 2)
        static let passphrase = Flags(rawValue: 4)
        static let known: Flags = [.namesInClear, .fingerprint, .passphrase]
    }

    /// Higher ones are read; a storage keeps its own.
    var minor: UInt16 = 0
    /// Random at creation, never reused.
    var storageID: [UInt8]
    /// One more with every commit; 0 stands for a storage that was never written.
    var generation: UInt64 = 0
    /// What the rollback counter shows after this commit; 0 when there is none.
    var anchor: UInt64 = 0
    var protection = SecureStorage.Protection.none
    var provider: KeyProvider
    var derivation = StoredDerivation.none
    var salt: [UInt8]
    /// AEAD invocations so far under this root key.
    var invocations: UInt64 = 0
    var flags: Flags = []
    var entryCount: UInt32 = 0
    var indexByteCount: UInt32 = 0
    var valuesByteCount: UInt32 = 0
    var wrapByteCount: UInt32 = 0

    /// Bytes of header and wrap section.
    var fullByteCount: UInt64 { UInt64(Self.byteCount) + UInt64(wrapByteCount) }

    /// What binds the wrapped root key to its storage and to how the key is found; the same in every plain commit.
    var wrapContext: [UInt8] {
        let bytes = encoded
        return Array(bytes[0..<12] + bytes[16..<32] + bytes[48..<96] + bytes[104..<112])
    }

    var encoded: [UInt8] {
        var writer = OctetWriter(capacity: Self.byteCount)
        writer.write(Self.magic)
        writer.writeUInt16LittleEndian(Self.major)
        writer.writeUInt16LittleEndian(minor)
        writer.writeUInt32LittleEndian(UInt32(truncatingIfNeeded: fullByteCount))
        writer.write(storageID)
        writer.writeUInt64LittleEndian(generation)
        writer.writeUInt64LittleEndian(anchor)
        writer.write([Self.suite, protection.rawValue, provider.rawValue, derivation.code])
        for parameter in derivation.parameters { writer.writeUInt32LittleEndian(parameter) }
        writer.write(salt)
        writer.writeUInt64LittleEndian(invocations)
        writer.writeUInt64LittleEndian(flags.rawValue)
        for count in [entryCount, indexByteCount, valuesByteCount, wrapByteCount] {
            writer.writeUInt32LittleEndian(count)
        }
        return writer.bytes
    }
}
