package import Foundation

/// File that is written as a database writes its log: blocks one after the other, each write on the disk before the next.
///
/// It begins again at its start once it is full, so that a wait is one for the blocks alone: the file has its size from the
/// beginning. It is removed at the end.
package struct DurableFile: ~Copyable {
    /// Error number of a call that the operating system refused.
    package struct Refusal: Error {
        package let errorNumber: Int32
    }

    /// Size of a block in octets.
    package static let blockByteCount = 4_096
    /// Blocks of the file, as many as SQLite lets its log have before it begins again.
    package static let blockCount = 1_000

    private let descriptor: Int32
    private let path: String
    private let blocks = [UInt8](repeating: 1, count: blockCount * blockByteCount)
    private var position = 0

    /// Creates the file in a folder, at its full size.
    package init(in folder: URL) throws {
        path = folder.appending(path: "disk-sync").path()
        descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Refusal(errorNumber: errno) }
        try put(Self.blockCount)
    }

    /// Writes a number of blocks, 1 to ``blockCount``, and returns when they are on the disk.
    package mutating func append(_ count: Int) throws {
        if position + count > Self.blockCount { position = 0 }
        try put(count)
        position += count
    }

    private borrowing func put(_ count: Int) throws {
        let octets = count * Self.blockByteCount
        let offset = off_t(position * Self.blockByteCount)
        guard pwrite(descriptor, blocks, octets, offset) == octets, fdatasync(descriptor) == 0 else {
            throw Refusal(errorNumber: errno)
        }
    }

    deinit {
        close(descriptor)
        unlink(path)
    }
}
