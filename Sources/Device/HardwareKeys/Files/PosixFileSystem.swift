#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The file system of the operating system.
package struct PosixFileSystem: FileSystem {
    private static let lockAttempts = 1_000
    private static let lockPauseMicroseconds: UInt32 = 10_000

    /// The file system of this process.
    package init() {}

    package func makeDirectory(_ path: String) throws(FileSystemError) {
        try makeParents(of: path)
        guard mkdir(path, 0o700) != 0 else { return }
        guard errno == EEXIST else { throw .failed(code: errno) }
        let descriptor = try openFile(path, O_RDONLY | O_DIRECTORY)
        defer { close(descriptor) }
        try requirePrivate(descriptor, kind: S_IFDIR)
    }

    package func read(_ path: String, atMost limit: Int) throws(FileSystemError) -> [UInt8] {
        let descriptor = try openFile(path, O_RDONLY | O_NONBLOCK)
        defer { close(descriptor) }
        let size = try requirePrivate(descriptor, kind: S_IFREG)
        guard size <= limit else { throw .tooLarge(limit: limit) }
        return try readAll(descriptor, limit: limit)
    }

    package func create(_ path: String, holding bytes: [UInt8]) throws(FileSystemError) {
        let descriptor = try openFile(path, O_WRONLY | O_CREAT | O_EXCL)
        defer { close(descriptor) }
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes {
                write(descriptor, $0.baseAddress?.advanced(by: written), $0.count - written)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .failed(code: count < 0 ? errno : EIO) }
            written += count
        }
        try synchronize(descriptor)
    }

    package func rename(_ path: String, to newPath: String) throws(FileSystemError) {
        #if canImport(Glibc)
            let result = Glibc.rename(path, newPath)
        #elseif canImport(Musl)
            let result = Musl.rename(path, newPath)
        #else
            let result = Darwin.rename(path, newPath)
        #endif
        guard result == 0 else { throw .last }
    }

    package func remove(_ path: String) throws(FileSystemError) {
        guard unlink(path) == 0 else { throw .last }
    }

    package func synchronizeDirectory(_ path: String) throws(FileSystemError) {
        let descriptor = try openFile(path, O_RDONLY | O_DIRECTORY)
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw .last }
    }

    package func lock(_ path: String) throws(FileSystemError) -> FileLock {
        let descriptor = try openFile(path, O_RDWR | O_CREAT)
        for _ in 0..<Self.lockAttempts {
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return FileLock(owning: descriptor) }
            guard errno == EWOULDBLOCK || errno == EINTR else { break }
            usleep(Self.lockPauseMicroseconds)
        }
        let reason: FileSystemError = errno == EWOULDBLOCK ? .busy : .last
        close(descriptor)
        throw reason
    }

    /// Makes the directories above `path`; those that are there already belong to the system and are left as they are.
    private func makeParents(of path: String) throws(FileSystemError) {
        let parts = path.split(separator: "/").dropLast()
        var parent = path.hasPrefix("/") ? "" : "."
        for part in parts {
            parent += "/" + part
            guard mkdir(parent, 0o700) == 0 || errno == EEXIST || errno == EISDIR else { throw .last }
        }
    }

    private func openFile(_ path: String, _ flags: Int32) throws(FileSystemError) -> Int32 {
        let descriptor = open(path, flags | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .last }
        return descriptor
    }

    /// The number of bytes of an open file that belongs to this user and to nobody else.
    @discardableResult
    private func requirePrivate(_ descriptor: Int32, kind: mode_t) throws(FileSystemError) -> Int {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .last }
        guard status.st_mode & S_IFMT == kind, status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else {
            throw .exposed
        }
        return Int(status.st_size)
    }

    private func readAll(_ descriptor: Int32, limit: Int) throws(FileSystemError) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = chunk.withUnsafeMutableBytes { Self.readChunk(descriptor, into: $0) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .last }
            guard count > 0 else { return bytes }
            bytes.append(contentsOf: chunk.prefix(count))
            guard bytes.count <= limit else { throw .tooLarge(limit: limit) }
        }
    }

    private static func readChunk(_ descriptor: Int32, into chunk: UnsafeMutableRawBufferPointer) -> Int {
        #if canImport(Glibc)
            Glibc.read(descriptor, chunk.baseAddress, chunk.count)
        #elseif canImport(Musl)
            Musl.read(descriptor, chunk.baseAddress, chunk.count)
        #else
            Darwin.read(descriptor, chunk.baseAddress, chunk.count)
        #endif
    }

    private func synchronize(_ descriptor: Int32) throws(FileSystemError) {
        #if canImport(Darwin)
            // fsync leaves the bytes in the drive's cache there.
            guard fcntl(descriptor, F_FULLFSYNC) == 0 || fsync(descriptor) == 0 else { throw .last }
        #else
            guard fsync(descriptor) == 0 else { throw .last }
        #endif
    }
}

extension FileSystemError {
    /// What the last call of the operating system complained about.
    fileprivate static var last: FileSystemError {
        switch errno {
        case ENOENT: .absent
        case EEXIST: .present
        case ELOOP: .exposed
        default: .failed(code: errno)
        }
    }
}
