import Octets

/// A file in format 1 taken apart; its lengths fit together, and nothing more is known about it.
///
/// It is read whole, and its HMAC covers all of it. No such file is written any more.
struct WholeFile: Sendable {
    private static let endMagic: [UInt8] = [0x0A, 0x1A, 0x0A, 0x0D, 0x54, 0x53, 0x53, 0x89]
    /// HMAC, generation, end magic.
    private static let trailerByteCount = StoreFile.authenticatorByteCount + 8 + 8

    let header: StoreFileHeader
    let wrap: WrapSection
    let bytes: [UInt8]

    /// Takes a file apart; allocates nothing that a length in the file asks for.
    init(_ header: StoreFileHeader, parsing bytes: [UInt8]) throws(SecureStorageError) {
        self.header = header
        let total =
            header.fullByteCount + UInt64(header.indexByteCount) + UInt64(header.valuesByteCount)
            + UInt64(Self.trailerByteCount)
        guard total == UInt64(bytes.count) else { throw .storageCorrupted }
        let end = bytes.suffix(Self.trailerByteCount - StoreFile.authenticatorByteCount)
        guard end.elementsEqual(Self.end(of: header)),
            let wrap = WrapSection(parsing: bytes[StoreFileHeader.byteCount..<Int(header.fullByteCount)])
        else { throw .storageCorrupted }
        self.wrap = wrap
        self.bytes = bytes
    }

    /// Trailer behind the HMAC: the generation once more, and the end magic.
    private static func end(of header: StoreFileHeader) -> [UInt8] {
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
    var authenticator: [UInt8] {
        Array(bytes[authenticated.endIndex...].prefix(StoreFile.authenticatorByteCount))
    }
}
