import HardwareKeys
import Octets

/// The first 128 bytes of a file in format `SST`; little-endian, no padding.
///
/// It holds what is needed to find the key, and nothing of it is believed before the file's HMAC was checked.
struct StoreFileHeader: Hashable, Sendable {
    static let byteCount = 128
    /// The last bytes show damage by a transfer as text.
    static let magic: [UInt8] = [0x89, 0x53, 0x53, 0x54, 0x0D, 0x0A, 0x1A, 0x0A]
    static let major: UInt16 = 2
    static let suite: UInt8 = 1

    static let storageIDByteCount = 16
    static let saltByteCount = 32

    /// Options of the whole storage, bits of the field at offset 104.
    struct Flags: OptionSet, Hashable, Sendable {
        var rawValue: UInt64
        static let namesInClear = Flags(rawValue: 1)
        static let fingerprint = Flags(rawValue: 2)
        static let passphrase = Flags(rawValue: 4)
        static let known: Flags = [.namesInClear, .fingerprint, .passphrase]
    }

    /// Every commit writes ``major``; 1 is read.
    var major = Self.major
    /// Higher ones are read; a storage keeps its own.
    var minor: UInt16 = 0
    /// Random at creation, never reused.
    var storageID: [UInt8]
    /// One more with every commit; 0 stands for a storage that was never written.
    var generation: UInt64 = 0
    /// Value of the rollback counter after this commit; 0 when there is none.
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

    var fullByteCount: UInt64 { UInt64(Self.byteCount) + UInt64(wrapByteCount) }

    /// Associated data of the wrapped root key, which binds it to its storage and to the derivation of its key; the
    /// same in every plain commit, also in one that changes the format.
    var wrapContext: [UInt8] {
        var header = self
        header.major = 1
        let bytes = header.encoded
        return Array(bytes[0..<12] + bytes[16..<32] + bytes[48..<96] + bytes[104..<112])
    }

    var encoded: [UInt8] {
        var writer = OctetWriter(capacity: Self.byteCount)
        writer.write(Self.magic)
        writer.writeUInt16LittleEndian(major)
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

extension StoreFileHeader {
    /// Reads a header without believing it.
    ///
    /// Throws ``SecureStorage/SecureStorageError/unreadableStorage(_:)`` for a higher major version, and
    /// ``SecureStorage/SecureStorageError/storageCorrupted`` for everything that no writer of this version writes.
    init(parsing bytes: [UInt8]) throws(SecureStorageError) {
        var reader = OctetReader(bytes)
        do {
            try self.init(from: &reader)
        } catch let error as SecureStorageError {
            throw error
        } catch {
            throw .storageCorrupted
        }
    }

    private init(from reader: inout OctetReader) throws {
        guard try reader.read(count: Self.magic.count).elementsEqual(Self.magic) else { throw Self.damage }
        major = try reader.readUInt16LittleEndian()
        guard major <= Self.major else { throw SecureStorageError.unreadableStorage(.newerFormat(major: major)) }
        guard major > 0 else { throw Self.damage }
        minor = try reader.readUInt16LittleEndian()
        let headerByteCount = try reader.readUInt32LittleEndian()
        storageID = Array(try reader.read(count: Self.storageIDByteCount))
        generation = try reader.readUInt64LittleEndian()
        anchor = try reader.readUInt64LittleEndian()
        guard try reader.readUInt8() == Self.suite,
            let protection = SecureStorage.Protection(rawValue: try reader.readUInt8()),
            let provider = KeyProvider(rawValue: try reader.readUInt8()),
            let derivation = StoredDerivation(
                code: try reader.readUInt8(), try reader.readUInt32LittleEndian(),
                try reader.readUInt32LittleEndian(), try reader.readUInt32LittleEndian())
        else { throw Self.damage }
        self.protection = protection
        self.provider = provider
        self.derivation = derivation
        salt = Array(try reader.read(count: Self.saltByteCount))
        invocations = try reader.readUInt64LittleEndian()
        flags = Flags(rawValue: try reader.readUInt64LittleEndian())
        entryCount = try reader.readUInt32LittleEndian()
        indexByteCount = try reader.readUInt32LittleEndian()
        valuesByteCount = try reader.readUInt32LittleEndian()
        wrapByteCount = try reader.readUInt32LittleEndian()
        guard generation > 0, flags.subtracting(.known).isEmpty, fullByteCount == headerByteCount,
            flags.contains(.passphrase) == (derivation != .none)
        else { throw Self.damage }
    }

    private static var damage: SecureStorageError { .storageCorrupted }
}

/// Derivation parameters of a storage's passphrase, as the header records them: a code and three numbers.
enum StoredDerivation: Hashable, Sendable {
    case none
    case passphrase(SecureStorage.KeyDerivation)

    /// Takes what a header says; nil for codes that do not exist and for numbers where none belong.
    init?(code: UInt8, _ first: UInt32, _ second: UInt32, _ third: UInt32) {
        switch code {
        case 0 where first == 0 && second == 0 && third == 0: self = .none
        case 1: self = .passphrase(.argon2id(memoryKibibytes: first, passes: second, lanes: third))
        case 2: self = .passphrase(.scrypt(rounds: first, blockSize: second, parallelism: third))
        case 3 where second == 0 && third == 0: self = .passphrase(.pbkdf2SHA512(rounds: first))
        default: return nil
        }
    }

    var code: UInt8 {
        switch self {
        case .none: 0
        case .passphrase(.argon2id): 1
        case .passphrase(.scrypt): 2
        case .passphrase(.pbkdf2SHA512): 3
        }
    }

    var parameters: [UInt32] {
        switch self {
        case .none: [0, 0, 0]
        case .passphrase(.argon2id(let memory, let passes, let lanes)): [memory, passes, lanes]
        case .passphrase(.scrypt(let rounds, let blockSize, let parallelism)): [rounds, blockSize, parallelism]
        case .passphrase(.pbkdf2SHA512(let rounds)): [rounds, 0, 0]
        }
    }
}
