import Octets

/// A file in format `SST` taken apart; its lengths fit together, and nothing more is known about it.
package struct StoreFile: Sendable {
    static let magic = StoreFileHeader.magic
    static let endMagic: [UInt8] = [0x0A, 0x1A, 0x0A, 0x0D, 0x54, 0x53, 0x53, 0x89]
    static let authenticatorByteCount = 32
    /// HMAC, generation, end magic.
    static let trailerByteCount = authenticatorByteCount + 8 + 8
    static let leastByteCount = StoreFileHeader.byteCount + trailerByteCount

    let header: StoreFileHeader
    let wrap: WrapSection
    let bytes: [UInt8]

    /// Takes a file apart.
    ///
    /// Throws ``SecureStorage/SecureStorageError/storageCorrupted`` and
    /// ``SecureStorage/SecureStorageError/unreadableStorage(_:)``; allocates nothing that a length in the file asks
    /// for.
    package init(parsing bytes: [UInt8]) throws(SecureStorageError) {
        guard bytes.count >= StoreFileHeader.byteCount else { throw .storageCorrupted }
        header = try StoreFileHeader(parsing: Array(bytes.prefix(StoreFileHeader.byteCount)))
        let total =
            header.fullByteCount + UInt64(header.indexByteCount) + UInt64(header.valuesByteCount)
            + UInt64(Self.trailerByteCount)
        guard total == UInt64(bytes.count) else { throw .storageCorrupted }
        guard bytes.suffix(Self.trailerByteCount - Self.authenticatorByteCount).elementsEqual(Self.end(of: header)),
            let wrap = WrapSection(parsing: bytes[StoreFileHeader.byteCount..<Int(header.fullByteCount)])
        else { throw .storageCorrupted }
        self.wrap = wrap
        self.bytes = bytes
    }

    /// Trailer behind the HMAC: the generation once more, and the end magic.
    static func end(of header: StoreFileHeader) -> [UInt8] {
        var end = OctetWriter()
        end.writeUInt64LittleEndian(header.generation)
        end.write(endMagic)
        return end.bytes
    }

    /// Header and wrap section.
    var fullHeader: ArraySlice<UInt8> { bytes[..<Int(header.fullByteCount)] }

    /// The index, encrypted or in clear.
    var index: ArraySlice<UInt8> {
        let start = Int(header.fullByteCount)
        return bytes[start..<start + Int(header.indexByteCount)]
    }

    /// The sealed values side by side.
    var values: ArraySlice<UInt8> { bytes[index.endIndex..<authenticated.endIndex] }

    /// Everything that the HMAC covers.
    var authenticated: ArraySlice<UInt8> { bytes[..<(bytes.count - Self.trailerByteCount)] }

    /// The HMAC; it also stands for this very commit where files are compared.
    var authenticator: [UInt8] { Array(bytes[authenticated.endIndex...].prefix(Self.authenticatorByteCount)) }
}

extension StoreFile {
    var storageIDText: String { Hex.encode(header.storageID) }

    /// Entry names of an index in plaintext; nil when the index is encrypted, or is none.
    var clearNames: [String]? {
        guard header.flags.contains(.namesInClear) else { return nil }
        return EntryIndex(parsing: Array(index), header: header)?.entries.map(\.name.text)
    }
}

extension StoreFile {
    /// Whether the index, read as if it were in plaintext, names values that are where it says; nothing is decrypted.
    ///
    /// This is everything that a reader does with untrusted bytes before the keys have authenticated them, and more.
    package var hasReadableIndex: Bool {
        guard let index = EntryIndex(parsing: Array(index), header: header) else { return false }
        return index.entries.allSatisfy { entry in
            let start = values.startIndex + Int(entry.offset)
            return SealedValue(values[start..<start + entry.sealedByteCount]) != nil
        }
    }
}
