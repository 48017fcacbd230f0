import HardwareKeys
import Octets

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
        let major = try reader.readUInt16LittleEndian()
        guard major <= Self.major else { throw SecureStorageError.unreadableStorage(.newerFormat(major: major)) }
        guard major == Self.major else { throw Self.damage }
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
