import Locking

/// An exclusive lock on a file; it ends with ``release()``, with the value, and with the process.
package final class FileLock: Sendable {
    private let end: Lock<(@Sendable () -> Void)?>

    /// Takes over a lock that `end` gives back; it is called once.
    package init(endingWith end: @escaping @Sendable () -> Void) {
        self.end = Lock(end)
    }

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
    /// Length of the file, in bytes.
    package let byteCount: Int
    /// The first bytes; fewer than asked for when the file is shorter.
    package let first: [UInt8]
    /// The last bytes; fewer than asked for when the file is shorter.
    package let last: [UInt8]

    /// Takes what was read.
    package init(byteCount: Int, first: [UInt8], last: [UInt8]) {
        self.byteCount = byteCount
        self.first = first
        self.last = last
    }
}
