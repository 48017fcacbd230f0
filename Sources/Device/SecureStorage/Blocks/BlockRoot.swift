import Octets

/// Root of a base: what an open reads in place of the entries.
///
/// The names by which blocks begin, their sizes and their codes; a name is looked up here first.
struct BlockRoot: Hashable, Sendable {
    private static let fixedByteCount = 4 + 4

    let blocks: [BlockRecord]
    /// Bytes of the largest value, by which an open keeps the limit on values without looking at them.
    let greatestValueByteCount: UInt32

    init(_ blocks: [BlockRecord], greatestValueByteCount: UInt32) {
        self.blocks = blocks
        self.greatestValueByteCount = greatestValueByteCount
    }

    /// Reads a root, of which no byte is believed; nil for everything that no writer writes.
    ///
    /// `blocksByteCount` is the room that the blocks have in the file; they fill it, as their values do.
    init?(parsing bytes: UnsafeRawBufferPointer, blocksByteCount: Int, header: StoreFileHeader) {
        guard bytes.count >= Self.fixedByteCount else { return nil }
        let count = Int(bytes.number(at: 0) as UInt32)
        guard count <= bytes.count / BlockRecord.leastByteCount else { return nil }
        var rest = UnsafeRawBufferPointer(rebasing: bytes[Self.fixedByteCount...])
        var blocks: [BlockRecord] = []
        blocks.reserveCapacity(count)
        var end = BlockRecord.End()
        for _ in 0..<count {
            guard let block = BlockRecord(parsing: rest, behind: end),
                blocks.last.map({ $0.firstName < block.firstName }) ?? true
            else { return nil }
            end = block.end
            blocks.append(block)
            rest = UnsafeRawBufferPointer(rebasing: rest[block.rootByteCount...])
        }
        guard rest.isEmpty, end.blocks == blocksByteCount, end.values == Int(header.valuesByteCount),
            end.entries == Int(header.entryCount)
        else { return nil }
        self.init(blocks, greatestValueByteCount: bytes.number(at: 4))
    }

    var encoded: [UInt8] {
        var writer = OctetWriter(
            capacity: Self.fixedByteCount + blocks.count * (BlockRecord.leastByteCount + EntryName.byteLimit))
        writer.writeUInt32LittleEndian(UInt32(truncatingIfNeeded: blocks.count))
        writer.writeUInt32LittleEndian(greatestValueByteCount)
        for block in blocks { block.write(to: &writer) }
        return writer.bytes
    }

    /// Number of the one block that can hold a name; nil when every block begins behind it.
    func block(for name: EntryName) -> Int? {
        var (low, high) = (0, blocks.count)
        while low < high {
            let middle = (low + high) / 2
            if name < blocks[middle].firstName { high = middle } else { low = middle + 1 }
        }
        return low > 0 ? low - 1 : nil
    }
}
