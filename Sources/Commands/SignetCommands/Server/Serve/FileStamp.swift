import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

    /// Stamp of the file at a path, with symbolic links followed; nil when there is none.
struct FileStamp: Hashable {
    private let device: UInt64
    private let inode: UInt64
    private let size: Int64
    private let modified: [UInt8]

    /// The stamp of what lies at a path, behind symbolic links; nil when there is nothing.
    init?(of path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        device = UInt64(truncatingIfNeeded: status.st_dev)
        inode = UInt64(status.st_ino)
        size = Int64(status.st_size)
        #if canImport(Darwin)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        // As octets: which module declares the members of `timespec` differs from build to build on Linux.
        modified = withUnsafeBytes(of: time) { Array($0) }
    }
}
