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
    private static let readAhead = 65_536
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

    /// Takes a file apart.
    ///
    /// Throws ``SecureStorage/SecureStorageError/storageCorrupted`` and
    /// ``SecureStorage/SecureStorageError/unreadableStorage(_:)``, and what reading throws; allocates nothing that a
    /// length in the file asks for and that the file does not have.
    package init(reading file: any ReadableFile) throws(SecureStorageError) {
        let start = try Self.bytes(min(file.byteCount, Self.readAhead), at: 0, of: file)
        guard start.count >= StoreFileHeader.byteCount else { throw .storageCorrupted }
        header = try StoreFileHeader(parsing: Array(start.prefix(StoreFileHeader.byteCount)))
        let logStart =
            header.fullByteCount + UInt64(header.indexByteCount) + UInt64(header.valuesByteCount)
            + UInt64(Self.authenticatorByteCount)
        guard logStart <= UInt64(file.byteCount), header.wrapByteCount <= WrapSection.byteLimit,
            header.indexByteCount >= Self.rootLengthByteCount
        else { throw .storageCorrupted }
        head = try Self.head(header, startingWith: start, of: file)
        guard let wrap = WrapSection(parsing: head[StoreFileHeader.byteCount..<Int(header.fullByteCount)]) else {
            throw .storageCorrupted
        }
        let tailStart = max(0, Int(logStart) - Self.endByteCount)
        let tail = try Self.bytes(file.byteCount - tailStart, at: tailStart, of: file)
        log = Array(tail.dropFirst(Int(logStart) - tailStart))
        code = Array(tail.dropLast(log.count).suffix(Self.authenticatorByteCount))
        ends = FileEnds(
            byteCount: file.byteCount, first: Array(head.prefix(StoreFileHeader.byteCount)),
            last: Array(tail.suffix(Self.endByteCount)))
        self.wrap = wrap
        self.file = file
    }

    package init(parsing bytes: [UInt8]) throws(SecureStorageError) {
        try self.init(reading: CopiedFile(bytes))
    }

    /// The root, encrypted or in clear.
    var root: ArraySlice<UInt8> { head[(Int(header.fullByteCount) + Self.rootLengthByteCount)...] }

    var blocks: Range<Int> { head.count..<valuesStart }

    var valuesStart: Int { Int(header.fullByteCount) + Int(header.indexByteCount) }

    var logStart: Int { valuesStart + Int(header.valuesByteCount) + Self.authenticatorByteCount }

    private static func head(
        _ header: StoreFileHeader, startingWith start: [UInt8], of file: any ReadableFile
    ) throws(SecureStorageError) -> [UInt8] {
        let least = Int(header.fullByteCount) + rootLengthByteCount
        let known = try extended(start, to: least, of: file)
        var reader = OctetReader(known[(least - rootLengthByteCount)...])
        guard let length = try? reader.readUInt32LittleEndian(),
            UInt64(length) + UInt64(rootLengthByteCount) <= UInt64(header.indexByteCount)
        else { throw .storageCorrupted }
        let count = least + Int(length)
        return Array(try extended(known, to: count, of: file).prefix(count))
    }

    private static func extended(
        _ start: [UInt8], to count: Int, of file: any ReadableFile
    ) throws(SecureStorageError) -> [UInt8] {
        guard start.count < count else { return start }
        return start + (try bytes(count - start.count, at: start.count, of: file))
    }

    /// Reads so many bytes, no fewer.
    static func bytes(
        _ count: Int, at offset: Int, of file: any ReadableFile
    ) throws(SecureStorageError) -> [UInt8] {
        do {
            let bytes = try file.read(count: count, at: offset)
            // Another process has cut the file since it was opened.
            guard bytes.count == count else { throw SecureStorageError.storageCorrupted }
            return bytes
        } catch let error as FileSystemError {
            throw SecureStorageError(error)
        } catch let error as SecureStorageError {
            throw error
        } catch {
            throw .storageCorrupted
        }
    }
}
