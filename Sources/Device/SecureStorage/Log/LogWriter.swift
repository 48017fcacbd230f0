import HardwareKeys

/// Lays the changes since the last commit out as a record of the log.
struct LogWriter {
    /// A record and what its commit leaves behind.
    struct Product {
        let bytes: [UInt8]
        let receipt: LogReceipt
        let header: StoreFileHeader
        let authenticator: [UInt8]
        /// Place of the record after this one.
        let position: LogPosition
    }

    let environment: StorageEnvironment
    let limits: SecureStorage.Limits

    /// Writes the commit that follows the layer's; nil when a new base has to be written in its place.
    func record(of layer: VolatileLayer, anchoredAt anchor: UInt64) throws(SecureStorageError) -> Product? {
        // A reader of the header alone must see whether the storage is anchored. What is far too much is not even sorted.
        guard let position = layer.position, let previous = layer.authenticator,
            (anchor == 0) == (layer.header.anchor == 0), layer.entryCount <= limits.entryCount,
            layer.unwrittenByteCount + 2 * layer.unwritten.count * ListedEntry.fixedByteCount <= room(behind: position)
        else { return nil }
        let changes = Self.changes(of: layer)
        let list = EntryList(
            sorted: changes.map { name, entry in entry.map { ListedEntry(name, $0) } ?? ListedEntry(removed: name) })
        let isClear = layer.header.flags.contains(.namesInClear)
        let stored = try layer.keys.sealed(list.encoded, isClear: isClear, environment)
        var header = Self.header(of: layer, list, anchor)
        if !isClear { header.invocations += 1 }
        header.listByteCount = UInt32(stored.count)
        header.previous = StoreCodes.code(previous).lowHalf
        let count = 2 * header.halfByteCount + list.valuesByteCount
        guard count + LogReceipt.byteCount <= room(behind: position) else { return nil }
        header.recordByteCount = UInt32(count)
        let codes = StoreCodes(layer.keys)
        let (start, covered) = (header.encoded, header.encoded + stored)
        let code = codes.code(ofRecord: covered[...], at: position.ends.byteCount, in: layer.header.storageID)
        var bytes = covered + code
        bytes.reserveCapacity(count)
        for change in changes { change.entry?.sealed.append(to: &bytes) }
        bytes += stored + start + code
        let receipt = LogReceipt(of: header.generation, behind: position.baseCode, with: codes)
        return Self.product(bytes, receipt, header, code, of: layer, behind: position)
    }

    private static func product(
        _ bytes: [UInt8], _ receipt: LogReceipt, _ record: RecordHeader, _ code: [UInt8], of layer: VolatileLayer,
        behind position: LogPosition
    ) -> Product {
        var header = layer.header
        header.generation = record.generation
        header.anchor = record.anchor
        header.invocations = record.invocations
        return Product(
            bytes: bytes, receipt: receipt, header: header, authenticator: code,
            position: position.behind(bytes, receipt))
    }

    private func room(behind position: LogPosition) -> Int {
        min(position.room(upTo: environment.logByteLimit), limits.storageByteCount - position.ends.byteCount)
    }

    private static func header(of layer: VolatileLayer, _ list: EntryList, _ anchor: UInt64) -> RecordHeader {
        RecordHeader(
            generation: layer.header.generation + 1, anchor: anchor, invocations: layer.invocations,
            entryCount: UInt32(layer.entryCount), changeCount: UInt32(list.entries.count),
            valuesByteCount: UInt32(layer.sealedByteCount), flags: layer.isCleared ? .cleared : [],
            previous: RecordHeader.CodeStart())
    }

    /// Changes that no file has, sorted.
    private static func changes(of layer: VolatileLayer) -> [(name: EntryName, entry: StoredEntry?)] {
        var changes: [(name: EntryName, entry: StoredEntry?)] = []
        changes.reserveCapacity(layer.unwritten.count)
        for name in layer.unwritten {
            let entry = layer.changes[name]?.entry
            // Whatever was there before is gone anyway.
            if entry == nil, layer.isCleared { continue }
            changes.append((name, entry))
        }
        return changes.sorted { $0.name < $1.name }
    }
}
