import Octets

/// First 64 bytes of a record of the log: what the header of a file says of a commit, and the sizes of the record.
struct RecordHeader: Hashable, Sendable {
    static let byteCount = firstFormatByteCount + previousByteCount
    static let firstFormatByteCount = 48
    static let previousByteCount = 16

    /// First bytes of a code.
    typealias CodeStart = SIMD16<UInt8>

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
    var previous: CodeStart

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
        withUnsafeBytes(of: previous) { writer.write($0) }
        return writer.bytes
    }
}

extension RecordHeader {
    /// Reads the header that starts at the first of the bytes; nil when there can be no such record in so many bytes.
    ///
    /// Its sizes fit together; nothing more is known about it.
    init?(parsing bytes: UnsafeRawBufferPointer, within byteCount: Int) {
        guard bytes.count >= Self.byteCount else { return nil }
        let previous = bytes.loadUnaligned(fromByteOffset: Self.firstFormatByteCount, as: CodeStart.self)
        self.init(fieldsOf: bytes, behind: previous)
        guard isPossible(in: byteCount) else { return nil }
    }

    /// Reads the header of a record in format 1, which does not repeat the code before it.
    init?(firstFormat bytes: UnsafeRawBufferPointer, behind code: StoreCodes.Code) {
        guard bytes.count >= Self.firstFormatByteCount else { return nil }
        self.init(fieldsOf: bytes, behind: code.lowHalf)
        guard flags.subtracting(.known).isEmpty,
            Int(recordByteCount) >= halfByteCount - Self.previousByteCount, Int(recordByteCount) <= bytes.count
        else { return nil }
    }

    private init(fieldsOf bytes: UnsafeRawBufferPointer, behind previous: CodeStart) {
        recordByteCount = bytes.number(at: 0)
        listByteCount = bytes.number(at: 4)
        generation = bytes.number(at: 8)
        anchor = bytes.number(at: 16)
        invocations = bytes.number(at: 24)
        entryCount = bytes.number(at: 32)
        changeCount = bytes.number(at: 36)
        valuesByteCount = bytes.number(at: 40)
        flags = Flags(rawValue: bytes.number(at: 44))
        self.previous = previous
    }

    private func isPossible(in byteCount: Int) -> Bool {
        Int(recordByteCount) >= 2 * halfByteCount && Int(recordByteCount) <= byteCount
            && flags.subtracting(.known).isEmpty
    }
}
