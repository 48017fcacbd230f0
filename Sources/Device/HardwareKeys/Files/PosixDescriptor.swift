#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
    import Foundation
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

    borrowing func isRemote(at path: String) throws(FileSystemError) -> Bool {
        #if canImport(Darwin)
            // Not by what tells of the volume's room too: Apple takes no reason for that which would be ours.
            let values = try? URL(filePath: path).resourceValues(forKeys: [.volumeIsLocalKey])
            guard let isLocal = values?.volumeIsLocal else { throw .failed(code: EIO) }
            return !isLocal
        #else
            return NetworkFileSystem(ofDevice: UInt64(try status().st_dev), in: try Self.mounts()) != nil
        #endif
    }

    #if !canImport(Darwin)
        /// The table of mounts; empty where `/proc` is not to be had.
        private static func mounts() throws(FileSystemError) -> [UInt8] {
            do {
                return try PosixDescriptor(opening: "/proc/self/mountinfo", O_RDONLY).readAll(limit: 16_777_216)
            } catch .absent {
                return []
            }
        }
    #endif

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
        var bytes = [UInt8](repeating: 0, count: count)
        var end = 0
        while end < count {
            let taken = bytes.withUnsafeMutableBytes { bytes in
                pread(number, bytes.baseAddress.map { $0 + end }, count - end, off_t(offset + end))
            }
            if taken < 0, errno == EINTR { continue }
            guard taken >= 0 else { throw .last }
            guard taken > 0 else { return Array(bytes.prefix(end)) }
            end += taken
        }
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

/// Names that Linux gives to file systems whose data is on another machine.
///
/// Other types of `fuse` are not among them: they are as often a local disk, and do not say.
enum NetworkFileSystem: String, CaseIterable {
    case nfs
    case nfs4
    case cifs
    case smbfs
    case smb3
    case afs
    case coda
    case ceph
    case plan9 = "9p"
    case gfs2
    case ocfs2
    case sshfs = "fuse.sshfs"

    /// Finds the file system of a device in the table of mounts (proc(5), `/proc/pid/mountinfo`).
    ///
    /// Nil for a local one, and for a device that the table does not have.
    init?(ofDevice device: UInt64, in mounts: [UInt8]) {
        let major = (device >> 8) & 0xFFF | (device >> 32) & ~0xFFF
        let minor = device & 0xFF | (device >> 12) & ~0xFF
        let device = "\(major):\(minor)".utf8
        for line in mounts.split(separator: UInt8(ascii: "\n")) {
            // Every commit of a storage comes here, so only the line that counts is made into text.
            let start = line.split(separator: UInt8(ascii: " "), maxSplits: 3)
            guard start.count > 2, start[2].elementsEqual(device) else { continue }
            let fields = String(decoding: line, as: UTF8.self).split(separator: " ")
            // A number of optional fields comes before the dash.
            guard let dash = fields.firstIndex(of: "-"), dash + 1 < fields.count else { return nil }
            self.init(rawValue: String(fields[dash + 1]))
            return
        }
        return nil
    }
}
