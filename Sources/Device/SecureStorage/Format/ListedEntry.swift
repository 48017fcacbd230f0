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

    init(_ name: EntryName, _ entry: StoredEntry?) {
        self.name = name
        kind = entry?.kind
        putGeneration = entry?.putGeneration ?? 0
        byteCount = UInt32(truncatingIfNeeded: entry?.sealed.plainByteCount ?? 0)
        tag = entry?.sealed.tag ?? .none
    }

    /// Takes what a list says; nil for what no writer writes.
    init?(
        code: UInt8, name: EntryName, putGeneration: UInt64, byteCount: UInt32, tag: SealTag, before generation: UInt64
    ) {
        self.name = name
        self.putGeneration = putGeneration
        self.byteCount = byteCount
        self.tag = tag
        kind = EntryKind(rawValue: code)
        if kind == nil {
            guard code == 0, putGeneration == 0, byteCount == 0, tag == .none else { return nil }
        } else {
            guard (1...max(generation, 1)).contains(putGeneration), Int(byteCount) >= ValueContext.byteCount(for: name)
            else { return nil }
        }
    }

    var sealedByteCount: Int { kind == nil ? 0 : Int(byteCount) + SealedValue.overhead }

    var valueByteCount: Int { kind == nil ? 0 : Int(byteCount) - ValueContext.byteCount(for: name) }

    /// The entry with its value out of the bytes where it lies, under the tag of the list: another value does not open.
    ///
    /// Nil for an entry that was removed.
    func stored(from bytes: ArraySlice<UInt8>) -> StoredEntry? {
        guard let kind, bytes.count == sealedByteCount, let sealed = SealedValue(bytes, under: tag) else { return nil }
        return StoredEntry(kind: kind, putGeneration: putGeneration, sealed: sealed)
    }
}
