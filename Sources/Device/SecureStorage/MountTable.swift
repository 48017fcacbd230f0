#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// What is mounted where on Linux (proc(5), `/proc/mounts`).
struct MountTable {
    /// File systems whose names and locks depend on another machine.
    private static let networkTypes: Set<Substring> = [
        "nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "afs", "ceph", "glusterfs", "lustre", "fuse.sshfs",
    ]

    /// Mount points in the order in which they were mounted.
    private let mounts: [(point: String, type: Substring)]

    /// Reads lines of device, mount point, type and more.
    init(_ text: String) {
        mounts = text.split(separator: "\n").compactMap { line in
            let columns = line.split(separator: " ")
            guard columns.count > 2 else { return nil }
            return (Self.unescaped(columns[1]), columns[2])
        }
    }

    /// Whether an absolute path without symbolic links lies on a file system of another machine.
    func isOnNetwork(_ path: String) -> Bool {
        var best: (length: Int, type: Substring) = (0, "")
        for mount in mounts where mount.point == "/" || path == mount.point || path.hasPrefix(mount.point + "/") {
            // A later mount hides an earlier one at the same place.
            if mount.point.utf8.count >= best.length { best = (mount.point.utf8.count, mount.type) }
        }
        return Self.networkTypes.contains(best.type)
    }

    /// Blanks and the like stand as a backslash and three octal digits.
    private static func unescaped(_ column: Substring) -> String {
        var octets: [UInt8] = []
        var rest = Array(column.utf8)[...]
        while let octet = rest.popFirst() {
            let digits = String(decoding: rest.prefix(3), as: UTF8.self)
            if octet == UInt8(ascii: "\\"), digits.utf8.count == 3, let value = UInt8(digits, radix: 8) {
                octets.append(value)
                rest = rest.dropFirst(3)
            } else {
                octets.append(octet)
            }
        }
        return String(decoding: octets, as: UTF8.self)
    }
}

#if os(Linux)
    extension MountTable {
        /// What is mounted now; empty where nobody says.
        static var system: MountTable {
            guard let file = fopen("/proc/mounts", "re") else { return MountTable("") }
            defer { fclose(file) }
            var text: [UInt8] = []
            var chunk = [UInt8](repeating: 0, count: 4_096)
            while case let count = fread(&chunk, 1, chunk.count, file), count > 0 {
                text.append(contentsOf: chunk.prefix(count))
            }
            return MountTable(String(decoding: text, as: UTF8.self))
        }
    }
#endif
