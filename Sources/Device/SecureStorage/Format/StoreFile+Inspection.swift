import Octets

extension StoreFile {
    var storageIDText: String { Hex.encode(header.storageID) }

    /// Last commit of a file, as a reader without keys sees it.
    struct Claim {
        var generation: UInt64
        var anchor: UInt64
        var entryCount: Int
        /// Names of the entries in plaintext; nil when they are encrypted, or are none.
        var names: Set<String>?
    }

    /// The claim of the last record, or of the base.
    var claim: Claim {
        var claim = Claim(header, names: clearNames)
        let (isFirst, base) = (!header.hasCopies, StoreCodes.code(code))
        log.withUnsafeBytes { log in
            var rest = log[...]
            while let record = isFirst
                ? RecordHeader(firstFormat: UnsafeRawBufferPointer(rebasing: rest), behind: base)
                : RecordHeader(parsing: UnsafeRawBufferPointer(rebasing: rest), within: rest.count),
                record.generation > claim.generation
            {
                claim.take(record, rest.dropFirst(isFirst ? RecordHeader.firstFormatByteCount : RecordHeader.byteCount))
                rest = rest.dropFirst(Int(record.recordByteCount) + LogReceipt.byteCount)
            }
        }
        return claim
    }

    /// Whether the lists, read as if they were in plaintext, name values that are where they say; nothing is decrypted.
    ///
    /// This is everything that a reader does with untrusted bytes before the keys have authenticated them, and more.
    package var hasReadableIndex: Bool {
        _ = claim
        return clearNames != nil
    }

    /// Names of the base, where they are in plaintext; nil where they are none.
    private var clearNames: [EntryName]? {
        let root = root.withUnsafeBytes { BlockRoot(parsing: $0, blocksByteCount: blocks.count, header: header) }
        guard let root else { return nil }
        var names: [EntryName] = []
        for block in root.blocks {
            guard
                let bytes = try? Self.bytes(block.byteCount, at: blocks.lowerBound + block.start.blocks, of: file),
                let list = bytes.withUnsafeBytes({
                    EntryList(parsing: $0, count: block.entryCount, generation: header.generation)
                })
            else { return nil }
            names += list.entries.map(\.name)
        }
        return names
    }
}

extension StoreFile.Claim {
    fileprivate init(_ header: StoreFileHeader, names: [EntryName]?) {
        generation = header.generation
        anchor = header.anchor
        entryCount = Int(header.entryCount)
        self.names = header.flags.contains(.namesInClear) ? names.map { Set($0.map(\.text)) } : nil
    }

    fileprivate mutating func take(_ record: RecordHeader, _ rest: Slice<UnsafeRawBufferPointer>) {
        generation = record.generation
        anchor = record.anchor
        entryCount = Int(record.entryCount)
        let list = UnsafeRawBufferPointer(rebasing: rest.prefix(Int(record.listByteCount)))
        guard names != nil,
            let list = EntryList(parsing: list, count: Int(record.changeCount), generation: record.generation)
        else {
            names = nil
            return
        }
        if record.flags.contains(.cleared) { names = [] }
        for entry in list.entries {
            if entry.kind == nil { names?.remove(entry.name.text) } else { names?.insert(entry.name.text) }
        }
    }
}
