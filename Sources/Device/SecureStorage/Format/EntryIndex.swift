import Octets

/// The list of the entries of a file in format 1, sorted by the bytes of their names: the same content has the same layout.
struct EntryIndex: Hashable, Sendable {
    /// Bytes of an entry without its name.
    static let fixedByteCount = 1 + 2 + 8 + 4 + 4

    let entries: [IndexedEntry]

    /// Reads a list, of which no byte is believed; nil for everything that no writer writes.
    ///
    /// Values have to lie side by side in the order of their names and fill the value area.
    init?(parsing bytes: [UInt8], header: StoreFileHeader) {
        // The size of the list bounds what is reserved for its entries.
        guard UInt64(header.entryCount) * UInt64(Self.fixedByteCount + 1) <= UInt64(bytes.count) else { return nil }
        var reader = OctetReader(bytes)
        var entries: [IndexedEntry] = []
        entries.reserveCapacity(Int(header.entryCount))
        var end: UInt64 = 0
        for _ in 0..<header.entryCount {
            guard let entry = try? Self.entry(from: &reader), UInt64(entry.offset) == end,
                (1...header.generation).contains(entry.putGeneration),
                Int(entry.byteCount) >= ValueContext.byteCount(for: entry.name),
                entries.last.map({ $0.name < entry.name }) ?? true
            else { return nil }
            end += UInt64(entry.sealedByteCount)
            entries.append(entry)
        }
        guard reader.isAtEnd, end == UInt64(header.valuesByteCount) else { return nil }
        self.entries = entries
    }

    private static func entry(from reader: inout OctetReader) throws -> IndexedEntry {
        let kind = IndexedEntry.Kind(rawValue: try reader.readUInt8())
        let nameByteCount = try reader.readUInt16LittleEndian()
        let name = EntryName(octets: try reader.read(count: Int(nameByteCount)))
        let putGeneration = try reader.readUInt64LittleEndian()
        let offset = try reader.readUInt32LittleEndian()
        let byteCount = try reader.readUInt32LittleEndian()
        guard let kind, let name else { throw SecureStorageError.storageCorrupted }
        return IndexedEntry(
            name: name, kind: kind, putGeneration: putGeneration, offset: offset, byteCount: byteCount)
    }
}
