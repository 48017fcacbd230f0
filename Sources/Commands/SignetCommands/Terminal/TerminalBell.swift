#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Wakes a thread that waits for the terminal.
final class TerminalBell: Sendable {
    /// Readable once the bell has rung.
    let readingEnd: Int32
    private let writingEnd: Int32

    /// Hangs a bell; nil when the process has too many files open.
    init?() {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        (readingEnd, writingEnd) = (ends[0], ends[1])
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    }

    deinit {
        close(readingEnd)
        close(writingEnd)
    }

    /// Rings it.
    func ring() {
        var byte: UInt8 = 0
        _ = write(writingEnd, &byte, 1)
    }
}
