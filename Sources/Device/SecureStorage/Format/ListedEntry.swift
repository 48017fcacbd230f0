/// Entry of a list: of a block of the base, or of a record of the log.
struct ListedEntry: Hashable, Sendable {
    /// Bytes of an entry without its name.
    static let fixedByteCount = 1 + 1 + 8 + 4 + SealTag.byteCount

    let name: EntryName
    /// Type of the value; nil for an entry that was removed, which stands in records only.
    let kind: EntryKind?
    /// The commit that the value was put for; 0 for an entry that was removed.
    let putGeneration: UInt64
    /// Bytes of the value with its context, without nonce and tag.
    let byteCount: UInt32
    let tag: SealTag

    init(_ name: EntryName, _ entry: StoredEntry) {
        self.name = name
        kind = entry.kind
        putGeneration = entry.putGeneration
        byteCount = UInt32(truncatingIfNeeded: entry.sealed.plainByteCount)
        tag = entry.sealed.tag
    }

    /// An entry that was removed.
    init(removed name: EntryName) {
        self.name = name
        kind = nil
        putGeneration = 0
        byteCount = 0
        tag = .none
    }

    /// Reads the entry that bytes begin with; nil for what no writer writes.
    init?(parsing bytes: UnsafeRawBufferPointer, before generation: UInt64) {
        guard bytes.count >= Self.fixedByteCount else { return nil }
        let (code, start) = (bytes[0], 2 + Int(bytes[1]))
        let end = start + 8 + 4 + SealTag.byteCount
        guard end <= bytes.count, let name = EntryName(octets: UnsafeRawBufferPointer(rebasing: bytes[2..<start])),
            let tag = SealTag(UnsafeRawBufferPointer(rebasing: bytes[start + 12..<end]))
        else { return nil }
        self.name = name
        self.tag = tag
        putGeneration = bytes.number(at: start)
        byteCount = bytes.number(at: start + 8)
        kind = EntryKind(rawValue: code)
        if kind == nil {
            guard code == 0, putGeneration == 0, byteCount == 0, tag == .none else { return nil }
        } else {
            guard (1...max(generation, 1)).contains(putGeneration), Int(byteCount) >= ValueContext.byteCount(for: name)
            else { return nil }
        }
    }

    /// Bytes of the entry in its list.
    var listedByteCount: Int { Self.fixedByteCount + name.text.utf8.count }

    /// Writes the entry to the beginning of memory that has room for it, and gives the number of its bytes.
    func write(to memory: UnsafeMutableRawBufferPointer) -> Int {
        var text = name.text
        memory[0] = kind?.rawValue ?? 0
        let start = text.withUTF8 { octets in
            memory[1] = UInt8(truncatingIfNeeded: octets.count)
            UnsafeMutableRawBufferPointer(rebasing: memory[2...]).copyMemory(from: UnsafeRawBufferPointer(octets))
            return 2 + octets.count
        }
        memory.storeBytes(of: putGeneration.littleEndian, toByteOffset: start, as: UInt64.self)
        memory.storeBytes(of: byteCount.littleEndian, toByteOffset: start + 8, as: UInt32.self)
        tag.write(to: UnsafeMutableRawBufferPointer(rebasing: memory[(start + 12)...]))
        return start + 12 + SealTag.byteCount
    }

    var sealedByteCount: Int { kind == nil ? 0 : Int(byteCount) + SealedValue.overhead }

    var valueByteCount: Int { kind == nil ? 0 : Int(byteCount) - ValueContext.byteCount(for: name) }

    /// The entry with its value out of the bytes where it lies, under the tag of the list: another value does not open.
    ///
    /// Nil for an entry that was removed.
    func stored(from bytes: ArraySlice<UInt8>) -> StoredEntry? {
        guard let kind, bytes.count == sealedByteCount,
            let sealed = bytes.withUnsafeBytes({ SealedValue($0, under: tag) })
        else { return nil }
        return StoredEntry(kind: kind, putGeneration: putGeneration, sealed: sealed)
    }
}
