package import HardwareKeys

/// Fault of a ``FaultyFileSystem``.
package enum DiskFault: Hashable, Sendable {
    /// The process dies before, in the middle of or after a call; nothing after it happens.
    case death(Moment)
    /// A call fails without an effect; when `isLasting`, so does every later one until the disk is healed.
    case failure(FileSystemError, isLasting: Bool)
    /// A write is short; when `isLasting`, every later one writes a single byte.
    case shortWrite(isLasting: Bool)

    /// Moment of the process's death relative to a call.
    package enum Moment: CaseIterable, Sendable {
        case before
        case during
        case after
    }

    /// Errors with which a disk or its administrator may fail any call.
    ///
    /// Input/output error, no space, an interrupting signal, a file system that became read-only, permissions taken
    /// away.
    package static let refusals: [FileSystemError] = [5, 28, 4, 30, 13].map { .failed(code: $0) }

    /// Every fault except deaths, once and lasting.
    package static let all: [DiskFault] =
        refusals.flatMap { [.failure($0, isLasting: false), .failure($0, isLasting: true)] }
        + [.shortWrite(isLasting: false), .shortWrite(isLasting: true)]
}
