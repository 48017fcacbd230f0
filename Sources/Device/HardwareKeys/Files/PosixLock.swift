#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A held lock on a file of the operating system.
///
/// An open-file-description lock: it belongs to the one `open` that took it. Two threads of a process keep each other
/// out, a second handle that is closed elsewhere does not end it, and the kernel frees it when the process dies.
struct PosixLock: ~Copyable, Sendable {
    /// The number of `F_OFD_SETLK`, which the C library shows to GNU programs only.
    #if canImport(Darwin)
        private static let setOpenFileLock: Int32 = 90
    #else
        private static let setOpenFileLock: Int32 = 37
    #endif

    private let descriptor: PosixDescriptor

    private init(_ descriptor: consuming PosixDescriptor) { self.descriptor = descriptor }

    /// Takes the lock, whose file is made when it is not there; nil when it is held.
    static func take(_ path: String) throws(FileSystemError) -> FileLock? {
        let descriptor = try PosixDescriptor(opening: path, O_RDWR | O_CREAT)
        try descriptor.requirePrivate(kind: S_IFREG)
        // Another process may have removed the file meanwhile: then the lock is on a file that the next one will not find.
        guard try take(descriptor.number), try names(path, descriptor) else { return nil }
        let lock = PosixLock(descriptor)
        return FileLock { lock.release() }
    }

    /// Gives the lock back; the handle is closed with the value.
    borrowing func release() {
        var region = Self.wholeFile(F_UNLCK)
        _ = fcntl(descriptor.number, Self.setOpenFileLock, &region)
    }

    /// One try; false when it is held.
    private static func take(_ descriptor: Int32) throws(FileSystemError) -> Bool {
        var region = wholeFile(F_WRLCK)
        guard fcntl(descriptor, Self.setOpenFileLock, &region) != 0 else { return true }
        guard errno == EAGAIN || errno == EACCES || errno == EINTR else { throw .last }
        return false
    }

    private static func wholeFile(_ kind: Int32) -> flock {
        var region = flock()
        region.l_type = Int16(kind)
        region.l_whence = Int16(SEEK_SET)
        return region
    }

    /// Whether the path still leads to the open file.
    private static func names(_ path: String, _ descriptor: borrowing PosixDescriptor) throws(FileSystemError) -> Bool {
        let mine = try descriptor.status()
        var found = stat()
        guard lstat(path, &found) == 0 else {
            guard errno == ENOENT else { throw .last }
            return false
        }
        return found.st_dev == mine.st_dev && found.st_ino == mine.st_ino
    }
}
