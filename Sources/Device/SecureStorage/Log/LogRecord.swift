import HardwareKeys
import Octets

/// A record of the log, of which header and list were found where they belong; its values are checked when they open.
struct LogRecord: Sendable {
    /// Both have header, list and code: the first begins the record, the second, list first, ends it.
    enum Half {
        case first
        case second
    }

    let header: RecordHeader
    /// HMAC of header and list; it stands for this commit where files are compared.
    let code: [UInt8]
    private let list: EntryList
    private let values: ArraySlice<UInt8>

    /// Checks one half of the record that starts with the bytes, or ends with them; nil when it is not there as it was
    /// written.
    ///
    /// `logStart` is the place of the bytes with index 0 in the file.
    init?(
        parsing bytes: ArraySlice<UInt8>, _ half: Half, at logStart: Int, in file: StoreFileHeader,
        with keys: StoreKeys, _ codes: StoreCodes
    ) {
        let ending = bytes.suffix(RecordHeader.byteCount + StoreFile.authenticatorByteCount)
        guard let header = RecordHeader(parsing: half == .first ? bytes : ending, within: bytes.count) else {
            return nil
        }
        let (count, listCount) = (Int(header.recordByteCount), Int(header.listByteCount))
        let record = half == .first ? bytes.prefix(count) : bytes.suffix(count)
        let first = record.prefix(header.halfByteCount)
        let stored =
            half == .first
            ? first.dropFirst(RecordHeader.byteCount).prefix(listCount)
            : record.suffix(header.halfByteCount).prefix(listCount)
        let covered = header.encoded + stored
        let code = codes.code(ofRecord: covered[...], at: logStart + record.startIndex, in: file.storageID)
        let found = (half == .first ? first : record).suffix(StoreFile.authenticatorByteCount)
        guard (try? ConstantTimeEquality.require(Array(found), equals: code)) != nil else { return nil }
        let values = record.dropFirst(header.halfByteCount).dropLast(header.halfByteCount)
        self.init(header, code, stored, values, in: file, with: keys)
    }

    /// Checks a record of format 1, which has header, list and values once, and one code over all of them.
    init?(
        firstFormat bytes: ArraySlice<UInt8>, behind previous: [UInt8], at logStart: Int, in file: StoreFileHeader,
        with keys: StoreKeys, _ codes: StoreCodes
    ) {
        guard let header = RecordHeader(firstFormat: bytes, behind: previous) else { return nil }
        let record = bytes.prefix(Int(header.recordByteCount))
        let covered = record.dropLast(StoreFile.authenticatorByteCount)
        let code = codes.code(
            ofRecord: covered, at: logStart + record.startIndex, in: file.storageID, behind: previous)
        let found = record.suffix(StoreFile.authenticatorByteCount)
        guard (try? ConstantTimeEquality.require(Array(found), equals: code)) != nil else { return nil }
        let content = covered.dropFirst(RecordHeader.firstFormatByteCount)
        let stored = content.prefix(Int(header.listByteCount))
        self.init(header, code, stored, content.dropFirst(stored.count), in: file, with: keys)
    }

    /// Takes the parts of a record whose code was checked.
    private init?(
        _ header: RecordHeader, _ code: [UInt8], _ stored: ArraySlice<UInt8>, _ values: ArraySlice<UInt8>,
        in file: StoreFileHeader, with keys: StoreKeys
    ) {
        let list = keys.withOpened(stored, isClear: file.flags.contains(.namesInClear)) { list in
            EntryList(parsing: list, count: Int(header.changeCount), generation: header.generation)
        }
        guard let list, list.valuesByteCount == values.count else { return nil }
        self.header = header
        self.code = code
        self.list = list
        self.values = values
    }

    /// Whether this record was written behind the one with a code, or behind the base.
    func follows(_ code: [UInt8]) -> Bool { code.starts(with: header.previous) }

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
