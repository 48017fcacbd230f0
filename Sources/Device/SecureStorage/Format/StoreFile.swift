package import HardwareKeys
import Octets

/// A file in format `SST` taken apart: the root of its base, and its log; the rest is left where it is.
///
/// Its lengths fit together, and nothing of it is believed yet.
package struct StoreFile: Sendable {
    static let authenticatorByteCount = 32
    /// Bytes at the end of a file by which it is known again.
    static let endByteCount = 48
    /// Bytes that are read at once, in the hope that the root ends before.
    private static let readAhead = 8_192
    /// Bytes of the field before the root.
    static let rootLengthByteCount = 4

    let header: StoreFileHeader
    let wrap: WrapSection
    /// Header, wrap section and root, which the code covers.
    let head: [UInt8]
    /// Code of the base.
    let code: [UInt8]
    /// Everything behind the base.
    let log: [UInt8]
    /// First and last bytes, by which the file is known again.
    let ends: FileEnds
    let file: any ReadableFile
    /// Whether this is what the copy behind the values says.
    let isSpare: Bool

    /// Takes a file apart, by the copy behind its values where the one at the beginning cannot be.
    ///
    /// Throws ``SecureStorage/SecureStorageError/storageCorrupted`` and
    /// ``SecureStorage/SecureStorageError/unreadableStorage(_:)``, and what reading throws; allocates nothing that a
    /// length in the file asks for and that the file does not have.
    package init(reading file: any ReadableFile) throws(SecureStorageError) {
        do throws(SecureStorageError) {
            try self.init(reading: file, startingAt: 0)
        } catch {
            guard let spare = Self.spare(of: file) else { throw error }
            self = spare
        }
    }

    private init(reading file: any ReadableFile, startingAt place: Int) throws(SecureStorageError) {
        let start = try Self.bytes(min(file.byteCount - place, Self.readAhead), at: place, of: file)
        guard start.count >= StoreFileHeader.byteCount else { throw .storageCorrupted }
        header = try StoreFileHeader(parsing: Array(start.prefix(StoreFileHeader.byteCount)))
        guard header.wrapByteCount <= WrapSection.byteLimit, header.indexByteCount >= Self.rootLengthByteCount,
            place == 0 || place == header.spareStart
        else { throw .storageCorrupted }
        let known = try Self.head(header, startingWith: start, at: place, of: file)
        head = header.hasCopies ? Array(known.dropLast(Self.authenticatorByteCount)) : known
        code =
            header.hasCopies
            ? Array(known.suffix(Self.authenticatorByteCount))
            : try Self.bytes(Self.authenticatorByteCount, at: header.spareStart, of: file)
        guard let wrap = WrapSection(parsing: head[StoreFileHeader.byteCount..<Int(header.fullByteCount)]) else {
            throw .storageCorrupted
        }
        // The log, and what is before it where it is shorter than the end.
        let tailStart = max(0, min(header.logStart, file.byteCount - Self.endByteCount))
        let tail = try Self.bytes(file.byteCount - tailStart, at: tailStart, of: file)
        log = tailStart == header.logStart ? tail : Array(tail.dropFirst(header.logStart - tailStart))
        ends = FileEnds(
            byteCount: file.byteCount, first: Array(head.prefix(StoreFileHeader.byteCount)),
            last: Array(tail.suffix(Self.endByteCount)))
        self.wrap = wrap
        self.file = file
        isSpare = place != 0
    }

    package init(parsing bytes: [UInt8]) throws(SecureStorageError) {
        try self.init(reading: CopiedFile(bytes))
    }

    /// The root, encrypted or in clear.
    var root: ArraySlice<UInt8> { head[(Int(header.fullByteCount) + Self.rootLengthByteCount)...] }

    /// The blocks of the first copy.
    var blocks: Range<Int> { head.count + (header.hasCopies ? code.count : 0)..<header.copyByteCount }

    /// Whether the file has all of its base with both copies, so that a log may grow behind it.
    var isWhole: Bool { header.hasCopies && !isSpare && file.byteCount >= header.logStart }

    /// The file as the copy behind its values says it to be; nil where there is none, or the same.
    ///
    /// The whole file is read: this is for one that does not open otherwise.
    var spare: StoreFile? {
        guard !isSpare, let spare = Self.spare(of: file), spare.head != head || spare.code != code else { return nil }
        return spare
    }

    /// This file, or its spare where only that has a code that belongs to the keys.
    func known(to keys: StoreKeys) -> StoreFile {
        guard !isAuthentic(with: keys), let spare, spare.isAuthentic(with: keys) else { return self }
        return spare
    }

    /// The copy is found by its first bytes, and by its place, which its own lengths name.
    private static func spare(of file: any ReadableFile) -> StoreFile? {
        guard let all = try? bytes(file.byteCount, at: 0, of: file) else { return nil }
        let places = all.withUnsafeBytes { all in
            all.indices.dropFirst().filter { place in
                all[place] == StoreFileHeader.magic[0] && all[place...].starts(with: StoreFileHeader.magic)
            }
        }
        return places.lazy.compactMap { try? StoreFile(reading: file, startingAt: $0) }.first
    }

    private static func head(
        _ header: StoreFileHeader, startingWith start: [UInt8], at place: Int, of file: any ReadableFile
    ) throws(SecureStorageError) -> [UInt8] {
        let least = Int(header.fullByteCount) + rootLengthByteCount
        let known = try extended(start, to: least, at: place, of: file)
        var reader = OctetReader(known[(least - rootLengthByteCount)...])
        guard let length = try? reader.readUInt32LittleEndian(),
            UInt64(length) + UInt64(rootLengthByteCount) <= UInt64(header.indexByteCount)
        else { throw .storageCorrupted }
        let count = least + Int(length) + (header.hasCopies ? authenticatorByteCount : 0)
        return Array(try extended(known, to: count, at: place, of: file).prefix(count))
    }

    private static func extended(
        _ start: [UInt8], to count: Int, at place: Int, of file: any ReadableFile
    ) throws(SecureStorageError) -> [UInt8] {
        guard start.count < count else { return start }
        guard count <= file.byteCount - place else { throw .storageCorrupted }
        return start + (try bytes(count - start.count, at: place + start.count, of: file))
    }

    /// Reads so many bytes, no fewer.
    static func bytes(
        _ count: Int, at offset: Int, of file: any ReadableFile
    ) throws(SecureStorageError) -> [UInt8] {
        let bytes = try part(count, at: offset, of: file)
        // The file was cut, maybe by another process since it was opened.
        guard bytes.count == count else { throw .storageCorrupted }
        return bytes
    }

    /// Reads so many bytes, or what the file still has of them.
    static func part(
        _ count: Int, at offset: Int, of file: any ReadableFile
    ) throws(SecureStorageError) -> [UInt8] {
        do {
            return try file.read(count: count, at: offset)
        } catch {
            throw SecureStorageError(error)
        }
    }
}

extension StoreFileHeader {
    /// Whether what is no value stands in the file twice; format 1 has it once, and the code of the base behind the
    /// values.
    var hasCopies: Bool { major > 1 }

    /// Bytes of header, wrap section, root, code and blocks, which stand before the values and again behind them.
    var copyByteCount: Int {
        Int(fullByteCount) + Int(indexByteCount) + (hasCopies ? StoreFile.authenticatorByteCount : 0)
    }

    var spareStart: Int { copyByteCount + Int(valuesByteCount) }

    var logStart: Int { spareStart + (hasCopies ? copyByteCount : StoreFile.authenticatorByteCount) }

    /// Demands that a commit is none from before one that was seen of the same storage.
    ///
    /// A process that has it in memory knows better than the file: an older copy was put in its place, or its log was
    /// cut. Throws ``SecureStorage/SecureStorageError/rollbackDetected``.
    func requireNotBehind(_ seen: StoreFileHeader?) throws(SecureStorageError) {
        guard let seen, seen.storageID == storageID, generation < seen.generation else { return }
        throw .rollbackDetected
    }
}
