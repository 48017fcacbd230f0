import Octets

/// A record of the log that was found whole and where it belongs.
struct LogRecord: Sendable {
    let header: RecordHeader
    /// HMAC of the record; it stands for this commit where files are compared.
    let code: [UInt8]
    private let list: EntryList
    private let values: ArraySlice<UInt8>

    /// Checks the record that starts at the first of the bytes; nil when it is not there as it was written.
    ///
    /// `offset` is its place in the file, `previous` the code before it.
    init?(
        parsing bytes: ArraySlice<UInt8>, at offset: Int, behind previous: [UInt8], after last: StoreFileHeader,
        with keys: StoreKeys, _ codes: StoreCodes
    ) {
        guard let header = RecordHeader(parsing: bytes), last.generation < .max,
            header.generation == last.generation + 1
        else { return nil }
        let record = bytes.prefix(Int(header.recordByteCount))
        let content = record.dropLast(StoreFile.authenticatorByteCount)
        let code = codes.code(ofRecord: content, at: offset, behind: previous, in: last.storageID)
        let found = Array(record.suffix(StoreFile.authenticatorByteCount))
        guard (try? ConstantTimeEquality.require(found, equals: code)) != nil,
            let list = Self.list(in: content, header, last, keys)
        else { return nil }
        values = content.dropFirst(RecordHeader.byteCount + Int(header.listByteCount))
        guard list.valuesByteCount == values.count else { return nil }
        self.header = header
        self.code = code
        self.list = list
    }

    /// Changes of the record; a value is nil where the entry was removed.
    ///
    /// Throws ``SecureStorage/SecureStorageError/storageCorrupted`` and
    /// ``SecureStorage/SecureStorageError/limitExceeded``.
    func changes(
        limits: SecureStorage.Limits
    ) throws(SecureStorageError) -> [(name: EntryName, entry: StoredEntry?)] {
        var changes: [(name: EntryName, entry: StoredEntry?)] = []
        changes.reserveCapacity(list.entries.count)
        for (entry, offset) in zip(list.entries, list.offsets) {
            guard entry.valueByteCount <= limits.valueByteCount else { throw .limitExceeded }
            guard entry.kind != nil else {
                changes.append((entry.name, nil))
                continue
            }
            let start = values.startIndex + offset
            guard let stored = entry.stored(from: values[start..<start + entry.sealedByteCount]) else {
                throw .storageCorrupted
            }
            changes.append((entry.name, stored))
        }
        return changes
    }

    private static func list(
        in content: ArraySlice<UInt8>, _ header: RecordHeader, _ last: StoreFileHeader, _ keys: StoreKeys
    ) -> EntryList? {
        let stored = content.dropFirst(RecordHeader.byteCount).prefix(Int(header.listByteCount))
        return keys.withOpened(stored, isClear: last.flags.contains(.namesInClear)) { list in
            EntryList(parsing: list, count: Int(header.changeCount), generation: header.generation)
        }
    }
}
