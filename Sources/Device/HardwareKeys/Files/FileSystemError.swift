#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

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
    ///
    /// `EINTR`: a signal came before anything was done. `EREMOTE`: the directory lies on another machine, where locks
    /// and synchronising promise too little.
    case failed(code: Int32)

    /// More signals in a row than a sane system sends.
    private static let interruptionLimit = 100

    /// Makes a call again that a signal interrupted; gives up with `EINTR` when it never comes through.
    package static func repeatingInterrupted<Result>(
        _ call: () throws(FileSystemError) -> Result
    ) throws(FileSystemError) -> Result {
        for _ in 1..<interruptionLimit {
            do throws(FileSystemError) {
                return try call()
            } catch .failed(EINTR) {
                continue
            }
        }
        return try call()
    }
}
