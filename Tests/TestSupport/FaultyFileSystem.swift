package import HardwareKeys
import Synchronization

/// The real file system until one operation, where the process "dies": that operation stops before, in the middle of or
/// after its work, and nothing after it happens.
package final class FaultyFileSystem: FileSystem {
    /// Where in an operation the process dies.
    package enum Moment: CaseIterable, Sendable {
        case before
        case during
        case after
    }

    private let base = PosixFileSystem()
    private let fatal: Int
    private let moment: Moment
    private let count = Mutex<Int>(0)

    /// Dies in the operation with that number, counted from 0; a number that is never reached changes nothing.
    package init(dyingAt fatal: Int = .max, _ moment: Moment = .before) {
        self.fatal = fatal
        self.moment = moment
    }

    /// Operations asked for so far.
    package var operationCount: Int { count.withLock { $0 } }

    /// Whether the fatal operation was reached.
    package var isDead: Bool { operationCount > fatal }

    package func makeDirectory(_ path: String) throws(FileSystemError) {
        try perform({ () throws(FileSystemError) in try base.makeDirectory(path) })
    }

    package func read(_ path: String, atMost limit: Int) throws(FileSystemError) -> [UInt8] {
        try perform({ () throws(FileSystemError) in try base.read(path, atMost: limit) })
    }

    package func create(_ path: String, holding bytes: [UInt8]) throws(FileSystemError) {
        try perform(
            { () throws(FileSystemError) in try base.create(path, holding: bytes) },
            half: { () throws(FileSystemError) in
                try base.create(path, holding: Array(bytes.prefix(bytes.count / 2)))
            })
    }

    package func rename(_ path: String, to newPath: String) throws(FileSystemError) {
        try perform({ () throws(FileSystemError) in try base.rename(path, to: newPath) })
    }

    package func remove(_ path: String) throws(FileSystemError) {
        try perform({ () throws(FileSystemError) in try base.remove(path) })
    }

    package func synchronizeDirectory(_ path: String) throws(FileSystemError) {
        try perform({ () throws(FileSystemError) in try base.synchronizeDirectory(path) })
    }

    package func lock(_ path: String) throws(FileSystemError) -> FileLock {
        try perform({ () throws(FileSystemError) in try base.lock(path) })
    }

    private func perform<Result>(
        _ work: () throws(FileSystemError) -> Result, half: () throws(FileSystemError) -> Void = {}
    ) throws(FileSystemError) -> Result {
        let number = count.withLock { count in
            defer { count += 1 }
            return count
        }
        guard number <= fatal else { throw .failed(code: 5) }
        guard number == fatal else { return try work() }
        switch moment {
        case .before: break
        case .during: try half()
        case .after: _ = try work()
        }
        throw .failed(code: 5)
    }
}
