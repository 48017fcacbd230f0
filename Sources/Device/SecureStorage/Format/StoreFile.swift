package import HardwareKeys
import Octets

/// A file in format `SST`, of either version, taken apart; nothing of it is believed yet.
package struct StoreFile: Sendable {
    static let magic = StoreFileHeader.magic
    static let authenticatorByteCount = 32
    /// Bytes at the end of a file by which it is known again.
    static let endByteCount = 48

    /// Content behind the header, by the version of the format.
    enum Form: Sendable {
        case whole(WholeFile)
        case layered(LayeredFile)
    }

    let header: StoreFileHeader
    let form: Form

    /// Takes a file apart.
    ///
    /// Throws ``SecureStorage/SecureStorageError/storageCorrupted`` and
    /// ``SecureStorage/SecureStorageError/unreadableStorage(_:)``, and what reading throws; allocates nothing that a
    /// length in the file asks for and that the file does not have.
    package init(reading file: any ReadableFile) throws(SecureStorageError) {
        let start = try LayeredFile.bytes(min(file.byteCount, LayeredFile.readAhead), at: 0, of: file)
        guard start.count >= StoreFileHeader.byteCount else { throw .storageCorrupted }
        header = try StoreFileHeader(parsing: Array(start.prefix(StoreFileHeader.byteCount)))
        if header.major == StoreFileHeader.majorOfWholeFiles {
            let bytes =
                start.count == file.byteCount ? start : try LayeredFile.bytes(file.byteCount, at: 0, of: file)
            form = .whole(try WholeFile(header, parsing: bytes))
        } else {
            form = .layered(try LayeredFile(header, startingWith: start, of: file))
        }
    }

    /// Takes the bytes of a file apart.
    package init(parsing bytes: [UInt8]) throws(SecureStorageError) {
        try self.init(reading: CopiedFile(bytes))
    }

    var wrap: WrapSection {
        switch form {
        case .whole(let file): file.wrap
        case .layered(let file): file.wrap
        }
    }

    var byteCount: Int {
        switch form {
        case .whole(let file): file.bytes.count
        case .layered(let file): file.ends.byteCount
        }
    }

    /// First and last bytes, by which the file is known again.
    var ends: FileEnds {
        switch form {
        case .whole(let file):
            FileEnds(
                byteCount: file.bytes.count, first: Array(file.bytes.prefix(StoreFileHeader.byteCount)),
                last: Array(file.bytes.suffix(Self.endByteCount)))
        case .layered(let file): file.ends
        }
    }

    /// Code that a file without a log says that it has, whatever keys wrote it; nil for others.
    var claimedCode: [UInt8]? {
        switch form {
        case .whole(let file): file.authenticator
        case .layered(let file): file.log.isEmpty ? file.code : nil
        }
    }

    /// Code of the last commit in the file, by which two states are told apart; nil when other keys wrote it.
    ///
    /// A file in format 1 is taken by its word: it is checked when it is opened. Throws
    /// ``SecureStorage/SecureStorageError/storageCorrupted`` for a log that was damaged.
    func authenticator(with keys: StoreKeys) throws(SecureStorageError) -> [UInt8]? {
        switch form {
        case .whole(let file): return file.authenticator
        case .layered(let file):
            guard file.isAuthentic(with: keys) else { return nil }
            return try LogReader(file: file, keys: keys).state().authenticator
        }
    }

    /// Demands that a file with the base of a layer has all of the layer's commits, before another is written.
    ///
    /// Who has it in memory knows better than the file: a log that is shorter than it was has been cut. For an anchored
    /// storage the ledger says so. Throws ``SecureStorage/SecureStorageError/storageCorrupted``.
    func requireNothingCut(since layer: VolatileLayer) throws(SecureStorageError) {
        guard layer.header.anchor == 0, case .layered(let file) = form, file.code == layer.position?.baseCode else {
            return
        }
        guard try latestHeader(with: layer.keys).generation >= layer.header.generation else {
            throw .storageCorrupted
        }
    }

    /// Whether the last commit in the file is the one that a layer started from.
    func isAt(_ layer: VolatileLayer) throws(SecureStorageError) -> Bool {
        guard let found = try authenticator(with: layer.keys) else { return false }
        return found == layer.authenticator
    }

    /// Header of the last commit in the file; the caller knows that its keys fit.
    func latestHeader(with keys: StoreKeys) throws(SecureStorageError) -> StoreFileHeader {
        switch form {
        case .whole(let file): file.header
        case .layered(let file): try LogReader(file: file, keys: keys).state().header
        }
    }
}

extension LayeredFile {
    /// Whether the code of the base belongs to these keys.
    func isAuthentic(with keys: StoreKeys) -> Bool {
        let expected = StoreCodes(keys).code(ofBase: head[...])
        return (try? ConstantTimeEquality.require(code, equals: expected)) != nil
    }
}
