import Octets

/// List of entries, sorted by the bytes of their names; their values lie side by side in the same order.
struct EntryList: Hashable, Sendable {
    let entries: [ListedEntry]
    /// Start of the value of each entry, counted from the first's; one more than there are entries.
    let offsets: [Int]

    var valuesByteCount: Int { offsets.last ?? 0 }

    init(sorted entries: [ListedEntry]) {
        self.entries = entries
        var end = 0
        var offsets = [0]
        offsets.reserveCapacity(entries.count + 1)
        for entry in entries {
            end += entry.sealedByteCount
            offsets.append(end)
        }
        self.offsets = offsets
    }

    /// Reads a list, of which no byte is believed; nil for everything that no writer writes.
    ///
    /// `generation` is the commit that the list belongs to: nothing in it is younger.
    init?(parsing bytes: [UInt8], count: Int, generation: UInt64) {
        // The size of the list bounds what is reserved for its entries.
        guard count >= 0, count <= bytes.count / (ListedEntry.fixedByteCount + 1) else { return nil }
        var reader = OctetReader(bytes)
        var entries: [ListedEntry] = []
        entries.reserveCapacity(count)
        for _ in 0..<count {
            guard let entry = try? Self.entry(from: &reader, generation),
                entries.last.map({ $0.name < entry.name }) ?? true
            else { return nil }
            entries.append(entry)
        }
        guard reader.isAtEnd else { return nil }
        self.init(sorted: entries)
    }

    var encoded: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(entries.reduce(0) { $0 + ListedEntry.fixedByteCount + $1.name.text.utf8.count })
        for entry in entries {
            bytes.append(entry.kind?.rawValue ?? 0)
            bytes.append(UInt8(truncatingIfNeeded: entry.name.text.utf8.count))
            bytes.append(contentsOf: entry.name.text.utf8)
            bytes.appendLittleEndian(entry.putGeneration)
            bytes.appendLittleEndian(entry.byteCount)
            entry.tag.append(to: &bytes)
        }
        return bytes
    }

    /// Place of the value of an entry, counted from the first's.
    func range(at position: Int) -> Range<Int> {
        offsets[position]..<offsets[position] + entries[position].sealedByteCount
    }

    func position(of name: EntryName) -> Int? {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].name < name { low = middle + 1 } else { high = middle }
        }
        return low < entries.count && entries[low].name == name ? low : nil
    }

    private static func entry(from reader: inout OctetReader, _ generation: UInt64) throws -> ListedEntry {
        let code = try reader.readUInt8()
        let nameByteCount = try reader.readUInt8()
        let name = EntryName(octets: try reader.read(count: Int(nameByteCount)))
        let putGeneration = try reader.readUInt64LittleEndian()
        let byteCount = try reader.readUInt32LittleEndian()
        let tag = try reader.read(count: SealTag.byteCount).withUnsafeBytes { SealTag($0) }
        guard let name, let tag,
            let entry = ListedEntry(
                code: code, name: name, putGeneration: putGeneration, byteCount: byteCount, tag: tag,
                before: generation)
        else { throw SecureStorageError.storageCorrupted }
        return entry
    }
}
