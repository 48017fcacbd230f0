import Octets

/// Record of one block in the root of a base.
struct BlockRecord: Hashable, Sendable {
    /// The most entries of a block: a miss decrypts a few kilobytes, and the root has a line for each block.
    static let entryLimit = 128
    static let leastByteCount = 2 + 1 + 1 + 4 + 4 + StoreFile.authenticatorByteCount

    /// End of blocks, values and entries behind a number of blocks.
    struct End: Hashable, Sendable {
        var blocks = 0
        var values = 0
        var entries = 0
    }

    let firstName: EntryName
    let entryCount: Int
    let byteCount: Int
    let valuesByteCount: Int
    /// HMAC of the block as it lies in the file.
    let code: StoreCodes.Code
    /// Start of this block, its values and its entries.
    let start: End

    /// Bytes of this record in its root.
    var rootByteCount: Int { Self.leastByteCount - 1 + firstName.text.utf8.count }

    var end: End {
        End(
            blocks: start.blocks + byteCount, values: start.values + valuesByteCount,
            entries: start.entries + entryCount)
    }

    /// Takes a block of a writer; nil for a list without entries.
    init?(_ list: EntryList, byteCount: Int, code: [UInt8], behind start: End) {
        guard let first = list.entries.first else { return nil }
        firstName = first.name
        entryCount = list.entries.count
        self.byteCount = byteCount
        valuesByteCount = list.valuesByteCount
        self.code = StoreCodes.code(code)
        self.start = start
    }

    /// Reads the record that bytes begin with; nil for what no writer writes.
    init?(parsing bytes: UnsafeRawBufferPointer, behind start: End) {
        guard bytes.count >= Self.leastByteCount else { return nil }
        entryCount = Int(bytes.number(at: 0) as UInt16)
        let sizes = 2 + 1 + Int(bytes[2])
        let end = sizes + 4 + 4 + StoreFile.authenticatorByteCount
        guard end <= bytes.count, (1...Self.entryLimit).contains(entryCount),
            let name = EntryName(octets: UnsafeRawBufferPointer(rebasing: bytes[3..<sizes]))
        else { return nil }
        firstName = name
        byteCount = Int(bytes.number(at: sizes) as UInt32)
        valuesByteCount = Int(bytes.number(at: sizes + 4) as UInt32)
        code = bytes.loadUnaligned(fromByteOffset: sizes + 8, as: StoreCodes.Code.self)
        self.start = start
    }

    func write(to writer: inout OctetWriter) {
        writer.writeUInt16LittleEndian(UInt16(truncatingIfNeeded: entryCount))
        writer.write([UInt8(truncatingIfNeeded: firstName.text.utf8.count)])
        writer.write(Array(firstName.text.utf8))
        writer.writeUInt32LittleEndian(UInt32(truncatingIfNeeded: byteCount))
        writer.writeUInt32LittleEndian(UInt32(truncatingIfNeeded: valuesByteCount))
        withUnsafeBytes(of: code) { writer.write($0) }
    }
}
