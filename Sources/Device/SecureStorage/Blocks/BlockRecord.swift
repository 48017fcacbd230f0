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
    let code: [UInt8]
    /// Start of this block, its values and its entries.
    let start: End

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
        self.code = code
        self.start = start
    }

    init(from reader: inout OctetReader, behind start: End) throws {
        entryCount = Int(try reader.readUInt16LittleEndian())
        let nameByteCount = try reader.readUInt8()
        let name = EntryName(octets: try reader.read(count: Int(nameByteCount)))
        byteCount = Int(try reader.readUInt32LittleEndian())
        valuesByteCount = Int(try reader.readUInt32LittleEndian())
        code = Array(try reader.read(count: StoreFile.authenticatorByteCount))
        guard let name, (1...Self.entryLimit).contains(entryCount) else { throw SecureStorageError.storageCorrupted }
        firstName = name
        self.start = start
    }

    func write(to writer: inout OctetWriter) {
        writer.writeUInt16LittleEndian(UInt16(truncatingIfNeeded: entryCount))
        writer.write([UInt8(truncatingIfNeeded: firstName.text.utf8.count)])
        writer.write(Array(firstName.text.utf8))
        writer.writeUInt32LittleEndian(UInt32(truncatingIfNeeded: byteCount))
        writer.writeUInt32LittleEndian(UInt32(truncatingIfNeeded: valuesByteCount))
        writer.write(code)
    }
}
