#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The few things that vaults and stores ask of a file system; tests put a recording or a failing one in between.
///
/// Every path is absolute or relative to the working directory. Files are private to their owner; the calls block.
/// Each call is one step that can fail or be the last one before the power goes; what is made of several steps stands
/// in extensions, so that a test reaches every step of it.
package protocol FileSystem: Sendable {
    /// Makes a directory with mode 0700, and the missing ones above it; their names are on the disk when it returns.
    ///
    /// One that is there must belong to this user and be closed to all others (`exposed`), and must lie on this
    /// machine (else `EREMOTE`) unless the caller wanted otherwise.
    func makeDirectory(_ path: String) throws(FileSystemError)

    /// Reads a whole private file of at most `limit` bytes; symbolic links are not followed.
    func read(_ path: String, atMost limit: Int) throws(FileSystemError) -> [UInt8]

    /// Reads the beginning and the end of a private file; symbolic links are not followed.
    func readEnds(_ path: String, first: Int, last: Int) throws(FileSystemError) -> FileEnds

    /// Opens a private file for reading in parts; symbolic links are not followed.
    ///
    /// It stays the file that it is, whatever its name stands for later.
    func openFile(_ path: String) throws(FileSystemError) -> any ReadableFile

    /// Opens a private file of which the end is to be written on; symbolic links are not followed.
    func appendFile(_ path: String) throws(FileSystemError) -> any NewFile

    /// The names of the files in a directory, in no order.
    func names(in directory: String) throws(FileSystemError) -> [String]

    /// Makes a new empty file with mode 0600; `present` when there is something of that name, a link included.
    func makeFile(_ path: String) throws(FileSystemError) -> any NewFile

    /// Gives a file another name in the same directory; a file of that name is replaced in one step.
    func rename(_ path: String, to newPath: String) throws(FileSystemError)

    func remove(_ path: String) throws(FileSystemError)

    /// Waits until names made or removed in a directory are on the disk.
    func synchronizeDirectory(_ path: String) throws(FileSystemError)

    /// Takes the exclusive lock that the file `path` stands for, unless it is held: then nil, at once.
    ///
    /// It is held until the value is released. The lock counts between processes and between two takers in one process,
    /// and ends with the process that holds it, however that ends. ``lock(_:)`` waits for it.
    func tryLock(_ path: String) throws(FileSystemError) -> FileLock?
}

extension FileSystem {
    /// A copy of a file that is read whole, for file systems that save nothing by less.
    package func openFile(_ path: String) throws(FileSystemError) -> any ReadableFile {
        CopiedFile(try read(path, atMost: .max))
    }

    /// The ends of a file that is read whole, for file systems that save nothing by less.
    package func readEnds(_ path: String, first: Int, last: Int) throws(FileSystemError) -> FileEnds {
        let bytes = try read(path, atMost: .max)
        return FileEnds(
            byteCount: bytes.count, first: Array(bytes.prefix(first)), last: Array(bytes.suffix(last)))
    }

    /// Makes a new file with mode 0600, writes `bytes` and waits until they are on the disk.
    ///
    /// The name is on the disk only after ``synchronizeDirectory(_:)``.
    package func create(_ path: String, holding bytes: [UInt8]) throws(FileSystemError) {
        let file = try FileSystemError.repeatingInterrupted { () throws(FileSystemError) in try makeFile(path) }
        try file.writeAll(bytes)
        try FileSystemError.repeatingInterrupted { () throws(FileSystemError) in try file.synchronize() }
        try file.close()
    }
}

/// Errors of file operations.
@nonexhaustive
package enum FileSystemError: Error, Hashable, Sendable {
    case absent
    case present
    /// The file belongs to another user, others may read it, or it is no ordinary file.
    case exposed
    case tooLarge(limit: Int)
    /// Another process or task holds the lock.
    case busy
    /// The operating system refused; the number is its `errno`.
    ///
    /// `EINTR`: a signal came before anything was done. `EREMOTE`: the directory lies on another machine, where locks
    /// and synchronising promise too little.
    case failed(code: Int32)

    /// More signals in a row than a sane system sends.
    private static let interruptionLimit = 100

    /// Makes a call again that a signal interrupted; gives up with `EINTR` when it never comes through.
    package static func repeatingInterrupted<Result>(
        _ call: () throws(FileSystemError) -> Result
    ) throws(FileSystemError) -> Result {
        for _ in 1..<interruptionLimit {
            do throws(FileSystemError) {
                return try call()
            } catch .failed(EINTR) {
                continue
            }
        }
        return try call()
    }
}

extension FileSystemError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .absent: "absent"
        case .present: "present"
        case .exposed: "exposed"
        case .tooLarge(let limit): "tooLarge(limit: \(limit))"
        case .busy: "busy"
        case .failed(let code): "failed(code: \(code))"
        }
    }
}
