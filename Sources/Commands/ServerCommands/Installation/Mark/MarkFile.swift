import CommandSupport
import Foundation
import ServerCore
import ServerPersistence

/// File with the mark of the database that was served from here (``DatabaseMark``).
///
/// It lies beside the database file, or in the data directory where the database is on a server. Its name begins with a dot,
/// so that a copy of the files that an operator sees leaves it behind.
struct MarkFile: Sendable {
    /// Time for which the lock of another process is waited for; it holds it for the length of one transaction.
    private static let patience: Duration = .seconds(30)
    private static let sizeLimit = 128

    let path: String

    /// The file for a database whose lease files begin with a path (``Deployment/leaseFile``).
    init(besides leaseFile: String) {
        let parts = leaseFile.split(separator: "/", omittingEmptySubsequences: false)
        let name = ".\(parts.last ?? "").mark"
        path = (parts.dropLast().map(String.init) + [name]).joined(separator: "/")
    }

    enum Content: Hashable, Sendable {
        case absent
        /// A first start has begun, and has not ended.
        case begun
        case mark(DatabaseMark)
        /// Text that is none of these.
        case unreadable

        var mark: DatabaseMark? { if case .mark(let mark) = self { mark } else { nil } }
    }

    var content: Content {
        guard access(path, F_OK) == 0 else { return .absent }
        return Self.content(of: PosixFiles().contents(of: path))
    }

    /// Lays an empty file where there is none: from now on the database is expected to be a new one.
    func begin() throws {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw PosixFiles.Failure(path: path, number: errno) }
        close(descriptor)
    }

    /// Removes the file; call it in ``locked(_:)``.
    func remove() throws(PosixFiles.Failure) {
        guard unlink(path) == 0 else { throw PosixFiles.Failure(path: path, number: errno) }
    }

    /// Result of `body` while no other process looks at the file or writes it; nil without a file.
    ///
    /// `body` gets what the file says, and the mark to write of it is written at its end.
    func locked<Value>(
        _ body: (Content) async throws -> (value: Value, mark: DatabaseMark?)
    ) async throws -> Value? {
        let descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw PosixFiles.Failure(path: path, number: errno)
        }
        // Closing it gives the lock back.
        defer { close(descriptor) }
        let deadline = ContinuousClock.now + Self.patience
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR, ContinuousClock.now < deadline else {
                throw PosixFiles.Failure(path: path, number: errno)
            }
            try await Task.sleep(for: .milliseconds(5))
        }
        guard isFile(behind: descriptor) else { return nil }
        var bytes = [UInt8](repeating: 0, count: Self.sizeLimit)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        let (value, mark) = try await body(Self.content(of: count < 0 ? nil : Array(bytes.prefix(count))))
        if let mark { try write(Array(mark.text.utf8), to: descriptor) }
        return value
    }

    /// Whether the path still leads to an open file, which another process may have removed.
    private func isFile(behind descriptor: Int32) -> Bool {
        var (opened, named) = (stat(), stat())
        return fstat(descriptor, &opened) == 0 && lstat(path, &named) == 0 && opened.st_ino == named.st_ino
    }

    /// Writes in one piece, over what is there: a process that is killed leaves the old mark or the new one.
    private func write(_ bytes: [UInt8], to descriptor: Int32) throws(PosixFiles.Failure) {
        guard pwrite(descriptor, bytes, bytes.count, 0) == bytes.count,
            ftruncate(descriptor, off_t(bytes.count)) == 0, fsync(descriptor) == 0
        else { throw PosixFiles.Failure(path: path, number: errno) }
    }

    private static func content(of bytes: [UInt8]?) -> Content {
        guard let bytes else { return .unreadable }
        if bytes.isEmpty { return .begun }
        return DatabaseMark(text: String(decoding: bytes, as: UTF8.self)).map { .mark($0) } ?? .unreadable
    }
}
