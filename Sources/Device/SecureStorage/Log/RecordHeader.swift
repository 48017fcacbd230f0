import Octets

/// First 64 bytes of a record of the log: what the header of a file says of a commit, and the sizes of the record.
struct RecordHeader: Hashable, Sendable {
    static let byteCount = firstFormatByteCount + previousByteCount
    static let firstFormatByteCount = 48
    static let previousByteCount = 16

    /// Properties of a record.
    struct Flags: OptionSet, Hashable, Sendable {
        var rawValue: UInt32
        /// Everything that was before the record is gone.
        static let cleared = Flags(rawValue: 1)
        static let known: Flags = [.cleared]
    }

    /// Bytes of the record with both of its halves, without the receipt.
    var recordByteCount: UInt32 = 0
    var listByteCount: UInt32 = 0
    var generation: UInt64
    /// Value of the rollback counter after this commit; 0 when there is none.
    var anchor: UInt64
    var invocations: UInt64
    /// Entries of the storage after this commit.
    var entryCount: UInt32
    /// Entries of the record's own list.
    var changeCount: UInt32
    /// Bytes of all values of the storage after this commit.
    var valuesByteCount: UInt32
    var flags: Flags = []
    /// First bytes of the code before this record: of another record, or of the base.
    var previous: [UInt8]

    /// Bytes of this header with the list and the code.
    var halfByteCount: Int { Self.byteCount + Int(listByteCount) + StoreFile.authenticatorByteCount }

    var encoded: [UInt8] {
        var writer = OctetWriter(capacity: Self.byteCount)
        writer.writeUInt32LittleEndian(recordByteCount)
        writer.writeUInt32LittleEndian(listByteCount)
        for number in [generation, anchor, invocations] { writer.writeUInt64LittleEndian(number) }
        for number in [entryCount, changeCount, valuesByteCount, flags.rawValue] {
            writer.writeUInt32LittleEndian(number)
        }
        writer.write(previous)
        return writer.bytes
    }
}

extension RecordHeader {
    /// Reads the header that starts at the first of the bytes; nil when there can be no such record in so many bytes.
    ///
    /// Its sizes fit together; nothing more is known about it.
    init?(parsing bytes: ArraySlice<UInt8>, within byteCount: Int) {
        var reader = OctetReader(bytes)
        guard let header = try? RecordHeader(from: &reader), header.isPossible(in: byteCount) else { return nil }
        self = header
    }

    /// Reads the header of a record in format 1, which does not repeat the code before it.
    init?(firstFormat bytes: ArraySlice<UInt8>, behind code: [UInt8]) {
        let previous = code.prefix(Self.previousByteCount)
        var reader = OctetReader(bytes.prefix(Self.firstFormatByteCount) + previous)
        guard let header = try? RecordHeader(from: &reader), header.flags.subtracting(.known).isEmpty,
            Int(header.recordByteCount) >= header.halfByteCount - Self.previousByteCount,
            Int(header.recordByteCount) <= bytes.count
        else { return nil }
        self = header
    }

    private init(from reader: inout OctetReader) throws {
        recordByteCount = try reader.readUInt32LittleEndian()
        listByteCount = try reader.readUInt32LittleEndian()
        generation = try reader.readUInt64LittleEndian()
        anchor = try reader.readUInt64LittleEndian()
        invocations = try reader.readUInt64LittleEndian()
        entryCount = try reader.readUInt32LittleEndian()
        changeCount = try reader.readUInt32LittleEndian()
        valuesByteCount = try reader.readUInt32LittleEndian()
        flags = Flags(rawValue: try reader.readUInt32LittleEndian())
        previous = Array(try reader.read(count: Self.previousByteCount))
    }

    private func isPossible(in byteCount: Int) -> Bool {
        Int(recordByteCount) >= 2 * halfByteCount && Int(recordByteCount) <= byteCount
            && flags.subtracting(.known).isEmpty
    }
}
