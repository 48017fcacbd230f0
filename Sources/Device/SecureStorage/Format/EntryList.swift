/// List of entries, sorted by the bytes of their names; their values lie side by side in the same order.
struct EntryList: Hashable, Sendable {
    let entries: [ListedEntry]
    /// Start of the value of each entry, counted from the first's; one more than there are entries.
    let offsets: [Int]

    var valuesByteCount: Int { offsets.last ?? 0 }

    init(sorted entries: [ListedEntry]) {
        self.entries = entries
        var end = 0
        var offsets: [Int] = []
        offsets.reserveCapacity(entries.count + 1)
        offsets.append(end)
        for entry in entries {
            end += entry.sealedByteCount
            offsets.append(end)
        }
        self.offsets = offsets
    }

    /// Reads a list, of which no byte is believed; nil for everything that no writer writes.
    ///
    /// `generation` is the commit that the list belongs to: nothing in it is younger.
    init?(parsing bytes: UnsafeRawBufferPointer, count: Int, generation: UInt64) {
        // The size of the list bounds what is reserved for its entries.
        guard count >= 0, count <= bytes.count / (ListedEntry.fixedByteCount + 1) else { return nil }
        var rest = bytes
        var entries: [ListedEntry] = []
        entries.reserveCapacity(count)
        var last: EntryName?
        for _ in 0..<count {
            guard let entry = ListedEntry(parsing: rest, before: generation), last.map({ $0 < entry.name }) ?? true
            else { return nil }
            entries.append(entry)
            last = entry.name
            rest = UnsafeRawBufferPointer(rebasing: rest[entry.listedByteCount...])
        }
        guard rest.isEmpty else { return nil }
        self.init(sorted: entries)
    }

    var encoded: [UInt8] {
        [UInt8](unsafeUninitializedCapacity: entries.reduce(0) { $0 + $1.listedByteCount }) { bytes, end in
            for place in entries.indices {
                let rest = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(bytes)[end...])
                end += entries[place].write(to: rest)
            }
        }
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
}
