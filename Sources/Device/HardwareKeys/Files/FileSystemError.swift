/// What can go wrong with a file.
@nonexhaustive
package enum FileSystemError: Error, Hashable, Sendable {
    /// There is no such file or directory.
    case absent
    /// There is such a file already.
    case present
    /// The file belongs to somebody else, others may read it, or it is no ordinary file.
    case exposed
    /// The file has more bytes than its reader takes.
    case tooLarge(limit: Int)
    /// Somebody else holds the lock.
    case busy
    /// The operating system refused; the number is its `errno`.
    case failed(code: Int32)
}
