import Synchronization

/// An exclusive lock on a file; it ends with ``release()``, with the value, and with the process.
package final class FileLock: Sendable {
    private let end: Mutex<(@Sendable () -> Void)?>

    /// Takes over a lock that `end` gives back; it is called once.
    package init(endingWith end: @escaping @Sendable () -> Void) {
        self.end = Mutex(end)
    }

    deinit {
        release()
    }

    /// Lets the next one in; a lock that was released already stays so.
    package func release() {
        let end = end.withLock { end in
            defer { end = nil }
            return end
        }
        end?()
    }
}
