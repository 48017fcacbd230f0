#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// An open file or directory of the operating system; closed with the value.
struct PosixDescriptor: ~Copyable, Sendable {
    let number: Int32

    /// Opens without following a link at the end of the path, and without leaving it to child processes.
    init(opening path: String, _ flags: Int32) throws(FileSystemError) {
        number = try FileSystemError.repeatingInterrupted { () throws(FileSystemError) in
            let number = open(path, flags | O_NOFOLLOW | O_CLOEXEC, 0o600)
            guard number >= 0 else { throw .last }
            return number
        }
    }

    deinit {
        close(number)
    }

    /// The number of bytes of a file that belongs to this user alone.
    @discardableResult
    borrowing func requirePrivate(kind: mode_t) throws(FileSystemError) -> Int {
        let status = try status()
        guard status.st_mode & S_IFMT == kind, status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else {
            throw .exposed
        }
        return Int(status.st_size)
    }

    borrowing func status() throws(FileSystemError) -> stat {
        var status = stat()
        guard fstat(number, &status) == 0 else { throw .last }
        return status
    }

    /// Everything from here to the end of the file; `size` is only a guess that saves time.
    ///
    /// The bytes are read to where they stay: a secret that fits the guess is in no other memory.
    borrowing func readAll(guessing size: Int = 0, limit: Int) throws(FileSystemError) -> [UInt8] {
        // One more, to see the end.
        var bytes = [UInt8](repeating: 0, count: size > 0 ? size + 1 : 16_384)
        var end = 0
        while true {
            if end == bytes.count { bytes += [UInt8](repeating: 0, count: bytes.count) }
            let count = bytes.withUnsafeMutableBytes { bytes in
                read(number, bytes.baseAddress.map { $0 + end }, bytes.count - end)
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .last }
            end += count
            guard end <= limit else { throw .tooLarge(limit: limit) }
            guard count > 0 else { break }
        }
        bytes.removeLast(bytes.count - end)
        return bytes
    }

    /// So many bytes from a place on; fewer when the file ends before.
    borrowing func readPart(count: Int, at offset: Int) throws(FileSystemError) -> [UInt8] {
        var failure: FileSystemError?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { bytes, end in
            while end < count {
                let taken = pread(number, bytes.baseAddress.map { $0 + end }, count - end, off_t(offset + end))
                if taken < 0, errno == EINTR { continue }
                if taken < 0 { failure = .last }
                guard taken > 0 else { return }
                end += taken
            }
        }
        if let failure { throw failure }
        return bytes
    }

    /// Waits until content and length are on the disk.
    ///
    /// Not `fdatasync`: a file that grew needs its length too.
    borrowing func synchronize() throws(FileSystemError) {
        #if canImport(Darwin)
            // fsync leaves the bytes in the drive's cache there; a file system without F_FULLFSYNC gets what it has.
            guard fcntl(number, F_FULLFSYNC) == 0 || fsync(number) == 0 else { throw .last }
        #else
            guard fsync(number) == 0 else { throw .last }
        #endif
    }
}
