import Locking

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Foundation
#endif

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
        let (major, minor) = Self.number(of: device)
        let device = Array("\(major):\(minor) ".utf8)
        for line in mounts.split(separator: UInt8(ascii: "\n")) {
            // Every open of a storage comes here: the third field is compared where it lies, and only the line that counts is
            // made into text.
            let first = line.drop { $0 != UInt8(ascii: " ") }.dropFirst()
            guard first.drop(while: { $0 != UInt8(ascii: " ") }).dropFirst().starts(with: device) else { continue }
            let fields = String(decoding: line, as: UTF8.self).split(separator: " ")
            // A number of optional fields comes before the dash.
            guard let dash = fields.firstIndex(of: "-"), dash + 1 < fields.count else { return nil }
            self.init(rawValue: String(fields[dash + 1]))
            return
        }
        return nil
    }

    fileprivate static func number(of device: UInt64) -> (major: UInt64, minor: UInt64) {
        ((device >> 8) & 0xFFF | (device >> 32) & ~0xFFF, device & 0xFF | (device >> 12) & ~0xFF)
    }
}

extension PosixDescriptor {
    /// Whether a directory lies on another machine; `localDisks` are the ones that were looked up before.
    borrowing func isRemote(
        at path: String, besides localDisks: Lock<Set<UInt64>>
    ) throws(FileSystemError) -> Bool {
        #if canImport(Darwin)
            // Not by what tells of the volume's room too: Apple takes no reason for that which would be ours.
            let values = try? URL(filePath: path).resourceValues(forKeys: [.volumeIsLocalKey])
            guard let isLocal = values?.volumeIsLocal else { throw .failed(code: EIO) }
            return !isLocal
        #else
            let device = UInt64(try status().st_dev)
            guard localDisks.withLock({ !$0.contains(device) }) else { return false }
            guard NetworkFileSystem(ofDevice: device, in: try Self.mounts()) == nil else { return true }
            // The kernel gives the number of a file system without a disk to another one later; a disk keeps its number.
            if NetworkFileSystem.number(of: device).major != 0 { localDisks.withLock { _ = $0.insert(device) } }
            return false
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
}
