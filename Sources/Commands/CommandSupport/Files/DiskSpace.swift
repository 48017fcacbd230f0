import Foundation

/// Octets of a disk.
package struct DiskSpace: Hashable, Sendable {
    /// Octets that this account may still write.
    package let free: UInt64
    package let total: UInt64

    package init(free: UInt64, total: UInt64) {
        self.free = free
        self.total = total
    }

    /// Disk of a file or folder; nil where there is none.
    package init?(at path: String) {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return nil }
        self.init(
            free: UInt64(status.f_bavail) * UInt64(status.f_frsize),
            total: UInt64(status.f_blocks) * UInt64(status.f_frsize))
    }

    private static let mebibyte: UInt64 = 1 << 20
    private static let least = 256 * mebibyte
    /// On a large disk a twentieth is enough for a long time.
    private static let enough = 10_240 * mebibyte

    /// Whether a server may soon have no room to write: 256 MiB are left, or a twentieth and less than 10 GiB.
    package var isNearlyFull: Bool { free < Self.least || free < total / 20 && free < Self.enough }

    package var words: String { "\(free / Self.mebibyte) MiB left of \(total / Self.mebibyte) MiB" }
}
