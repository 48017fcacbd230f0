#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// An exclusive lock on a file; it ends with ``release()``, with the value, and with the process.
package final class FileLock: Sendable {
    private let descriptor: Int32

    /// Takes over an open descriptor that holds the lock.
    init(owning descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    /// Lets the next one in.
    package func release() {
        flock(descriptor, LOCK_UN)
    }
}
