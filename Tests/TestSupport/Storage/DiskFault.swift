package import HardwareKeys

/// What goes wrong in a ``FaultyFileSystem``.
package enum DiskFault: Hashable, Sendable {
    /// The process dies before, in the middle of or after a call; nothing after it happens.
    case death(Moment)
    /// A call fails and does nothing; when `isLasting`, so does every later one until the disk is healed.
    case failure(FileSystemError, isLasting: Bool)
    /// A write takes only a part of what it is given; when `isLasting`, every later one takes a single byte.
    case shortWrite(isLasting: Bool)

    /// Where in a call the process dies.
    package enum Moment: CaseIterable, Sendable {
        case before
        case during
        case after
    }

    /// What a disk or its administrator may do to any call at all.
    ///
    /// Input/output error, no room, a signal, a file system that became read-only, access taken away.
    package static let refusals: [FileSystemError] = [5, 28, 4, 30, 13].map { .failed(code: $0) }

    /// Every fault, once and for good; deaths are not among them.
    package static let all: [DiskFault] =
        refusals.flatMap { [.failure($0, isLasting: false), .failure($0, isLasting: true)] }
        + [.shortWrite(isLasting: false), .shortWrite(isLasting: true)]
}
