import Locking

/// An exclusive lock on a file; it ends with ``release()``, with the value, and with the process.
package final class FileLock: Sendable {
    private let end: Lock<(@Sendable () -> Void)?>

    /// Takes over a lock that `end` gives back; it is called once.
    package init(endingWith end: @escaping @Sendable () -> Void) { self.end = Lock(end) }

    deinit {
        release()
    }

    /// Releases the lock; a lock that was released already stays so.
    package func release() {
        let end = end.withLock { end in
            defer { end = nil }
            return end
        }
        end?()
    }
}

/// The beginning and the end of a file, by which its owner knows it again without reading the whole.
package struct FileEnds: Hashable, Sendable {
    package let byteCount: Int
    /// The first bytes; fewer than asked for when the file is shorter.
    package let first: [UInt8]
    /// The last bytes; fewer than asked for when the file is shorter.
    package let last: [UInt8]

    package init(byteCount: Int, first: [UInt8], last: [UInt8]) {
        self.byteCount = byteCount
        self.first = first
        self.last = last
    }
}

/// An open file that is read in parts; closed with the value.
package protocol ReadableFile: AnyObject, Sendable {
    /// Length of the file when it was opened, in bytes.
    var byteCount: Int { get }

    /// Reads so many bytes from a place on; fewer where the file ends before.
    ///
    /// `count` must be bounded by something that the caller trusts: memory is taken for it.
    func read(count: Int, at offset: Int) throws(FileSystemError) -> [UInt8]
}

/// Copy in memory of a file as it was when it was opened.
package final class CopiedFile: ReadableFile {
    private let bytes: [UInt8]

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    package var byteCount: Int { bytes.count }

    package func read(count: Int, at offset: Int) -> [UInt8] {
        guard count > 0, offset >= 0, offset < bytes.count else { return [] }
        return Array(bytes[offset...].prefix(count))
    }
}
