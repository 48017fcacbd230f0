#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A private file of the operating system, open for reading.
///
/// Its parts are read by place, so that threads can share it: there is no position that one would move for the others.
/// It is never mapped into memory. A file that another process cuts short meanwhile would end this one; read, it gives fewer
/// bytes than were asked for.
final class PosixReadableFile: ReadableFile {
    let byteCount: Int
    private let descriptor: PosixDescriptor

    /// Opens a file without following a link, and refuses one that others may read.
    init(_ path: String) throws(FileSystemError) {
        let descriptor = try PosixDescriptor(opening: path, O_RDONLY | O_NONBLOCK)
        byteCount = try descriptor.requirePrivate(kind: S_IFREG)
        self.descriptor = descriptor
    }

    func read(count: Int, at offset: Int) throws(FileSystemError) -> [UInt8] {
        guard count > 0, offset >= 0 else { return [] }
        return try descriptor.readPart(count: count, at: offset)
    }
}
