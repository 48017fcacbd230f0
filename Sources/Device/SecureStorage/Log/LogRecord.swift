import HardwareKeys

/// A record of the log, of which header and list were found where they belong; its values are checked when they open.
struct LogRecord: Sendable {
    /// Both have header, list and code: the first begins the record, the second, list first, ends it.
    enum Half {
        case first
        case second
    }

    let header: RecordHeader
    /// HMAC of header and list; it stands for this commit where files are compared.
    let code: StoreCodes.Code
    private let list: EntryList
    private let values: ArraySlice<UInt8>

    /// Checks one half of the record that a part of the log starts with, or ends with; nil when it is not there as it was
    /// written.
    init?(parsing part: Range<Int>, _ half: Half, of log: UnsafeRawBufferPointer, for reader: LogReader) {
        let endByteCount = RecordHeader.byteCount + StoreFile.authenticatorByteCount
        guard part.count >= endByteCount else { return nil }
        let place = half == .first ? part.lowerBound : part.upperBound - endByteCount
        let headed = UnsafeRawBufferPointer(rebasing: log[place..<part.upperBound])
        guard let header = RecordHeader(parsing: headed, within: part.count) else { return nil }
        let start = half == .first ? part.lowerBound : part.upperBound - Int(header.recordByteCount)
        let values = start + header.halfByteCount..<start + Int(header.recordByteCount) - header.halfByteCount
        let list = half == .first ? start + RecordHeader.byteCount : values.upperBound
        let stored = UnsafeRawBufferPointer(rebasing: log[list..<list + Int(header.listByteCount)])
        let codeEnd = half == .first ? values.lowerBound : part.upperBound
        let code = log.loadUnaligned(
            fromByteOffset: codeEnd - StoreFile.authenticatorByteCount, as: StoreCodes.Code.self)
        let isAuthentic = reader.codes.isCode(
            code, ofRecord: UnsafeRawBufferPointer(rebasing: headed.prefix(RecordHeader.byteCount)), stored,
            at: reader.logStart + start, in: reader.storageID)
        guard isAuthentic else { return nil }
        self.init(header, code, stored, values, for: reader)
    }

    /// Checks a record of format 1, which has header, list and values once, and one code over all of them.
    init?(
        firstFormat part: Range<Int>, behind previous: StoreCodes.Code, of log: UnsafeRawBufferPointer,
        for reader: LogReader
    ) {
        let bytes = UnsafeRawBufferPointer(rebasing: log[part])
        guard let header = RecordHeader(firstFormat: bytes, behind: previous) else { return nil }
        let list = part.lowerBound + RecordHeader.firstFormatByteCount
        let stored = UnsafeRawBufferPointer(rebasing: log[list..<list + Int(header.listByteCount)])
        let end = part.lowerBound + Int(header.recordByteCount) - StoreFile.authenticatorByteCount
        let code = log.loadUnaligned(fromByteOffset: end, as: StoreCodes.Code.self)
        let isAuthentic = reader.codes.isCode(
            code, ofRecord: UnsafeRawBufferPointer(rebasing: log[part.lowerBound..<end]), .none,
            at: reader.logStart + part.lowerBound,
            in: reader.storageID + withUnsafeBytes(of: previous) { [UInt8]($0) })
        guard isAuthentic else { return nil }
        self.init(header, code, stored, list + stored.count..<end, for: reader)
    }

    /// Takes the parts of a record whose code was checked.
    private init?(
        _ header: RecordHeader, _ code: StoreCodes.Code, _ stored: UnsafeRawBufferPointer, _ values: Range<Int>,
        for reader: LogReader
    ) {
        let list = reader.lists.withOpened(stored) { list in
            EntryList(parsing: list, count: Int(header.changeCount), generation: header.generation)
        }
        guard let list, list.valuesByteCount == values.count else { return nil }
        self.header = header
        self.code = code
        self.list = list
        self.values = reader.log[values]
    }

    /// Whether this record was written behind the one with a code, or behind the base.
    func follows(_ code: StoreCodes.Code) -> Bool { code.lowHalf == header.previous }

    /// Whether every value is there as it was sealed.
    func isWhole(with keys: StoreKeys) -> Bool {
        entries.allSatisfy { name, entry in
            guard let entry else { return true }
            return (try? ReadableEntry(entry: entry, name: name, keys: keys).opened { _ in }) != nil
        }
    }

    /// Changes of the record; a value is nil where the entry was removed.
    ///
    /// Throws ``SecureStorage/SecureStorageError/limitExceeded``.
    func changes(
        limits: SecureStorage.Limits
    ) throws(SecureStorageError) -> [(name: EntryName, entry: StoredEntry?)] {
        guard list.entries.allSatisfy({ $0.valueByteCount <= limits.valueByteCount }) else { throw .limitExceeded }
        return entries
    }

    private var entries: [(name: EntryName, entry: StoredEntry?)] {
        list.entries.indices.map { position in
            let range = list.range(at: position)
            let bytes = values[values.startIndex + range.lowerBound..<values.startIndex + range.upperBound]
            return (list.entries[position].name, list.entries[position].stored(from: bytes))
        }
    }
}
