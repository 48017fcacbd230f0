package import HardwareKeys
import Locking

/// File system with a fault at one numbered call.
package final class FaultyFileSystem: FileSystem {
    package typealias Moment = DiskFault.Moment

    private let sound: any FileSystem
    private let fault: DiskFault
    private let number: Int
    private let state = Lock(State())

    private struct State {
        var calls: [String] = []
        var isHealed = false
        var onReading: (@Sendable () -> Void)?
    }

    /// Injects the fault at the call with that number, counted from 0; a number that is never reached has no effect.
    package init(_ fault: DiskFault, at number: Int, over sound: any FileSystem = PosixFileSystem()) {
        self.fault = fault
        self.number = number
        self.sound = sound
    }

    /// Dies in the call with that number, counted from 0; a number that is never reached has no effect.
    package convenience init(dyingAt fatal: Int = .max, _ moment: Moment = .before) {
        self.init(.death(moment), at: fatal)
    }

    /// Number of calls so far.
    package var operationCount: Int { state.withLock { $0.calls.count } }

    /// Names of the calls so far, for the message of a failing test.
    package var calls: [String] { state.withLock { $0.calls } }

    /// Whether the faulty call was reached.
    package var isDead: Bool { operationCount > number }

    /// Lets every further call succeed, unless the process died.
    package func heal() {
        state.withLock { $0.isHealed = true }
    }

    /// Runs `work` in the next reading of a part of a file.
    package func duringReading(_ work: @escaping @Sendable () -> Void) {
        state.withLock { $0.onReading = work }
    }

    package func makeDirectory(_ path: String) throws(FileSystemError) {
        try perform("makeDirectory", { () throws(FileSystemError) in try sound.makeDirectory(path) })
    }

    package func read(_ path: String, atMost limit: Int) throws(FileSystemError) -> [UInt8] {
        try perform("read", { () throws(FileSystemError) in try sound.read(path, atMost: limit) })
    }

    package func openFile(_ path: String) throws(FileSystemError) -> any ReadableFile {
        FaultyReadableFile(
            try perform("openFile", { () throws(FileSystemError) in try sound.openFile(path) }), on: self)
    }

    package func appendFile(_ path: String) throws(FileSystemError) -> any NewFile {
        FaultyNewFile(
            try perform("appendFile", { () throws(FileSystemError) in try sound.appendFile(path) }), on: self)
    }

    package func names(in directory: String) throws(FileSystemError) -> [String] {
        try perform("names", { () throws(FileSystemError) in try sound.names(in: directory) })
    }

    package func makeFile(_ path: String) throws(FileSystemError) -> any NewFile {
        FaultyNewFile(
            try perform("makeFile", { () throws(FileSystemError) in try sound.makeFile(path) }), on: self)
    }

    package func rename(_ path: String, to newPath: String) throws(FileSystemError) {
        try perform("rename", { () throws(FileSystemError) in try sound.rename(path, to: newPath) })
    }

    package func remove(_ path: String) throws(FileSystemError) {
        try perform("remove", { () throws(FileSystemError) in try sound.remove(path) })
    }

    package func synchronizeDirectory(_ path: String) throws(FileSystemError) {
        try perform("synchronizeDirectory", { () throws(FileSystemError) in try sound.synchronizeDirectory(path) })
    }

    package func tryLock(_ path: String) throws(FileSystemError) -> FileLock? {
        try perform("lock", { () throws(FileSystemError) in try sound.tryLock(path) })
    }

    /// Performs one call, or lets the fault happen; `half` is the effect that a death in the middle leaves behind.
    func perform<Result>(
        _ call: String, _ work: () throws(FileSystemError) -> Result, half: () throws(FileSystemError) -> Void = {}
    ) throws(FileSystemError) -> Result {
        let (index, isHealed) = state.withLock { state in
            state.calls.append(call)
            return (state.calls.count - 1, state.isHealed)
        }
        guard index >= number else { return try work() }
        switch fault {
        case .death(let moment):
            if index == number { try leaveBehind(moment, work, half: half) }
            throw .failed(code: 5)
        case .failure(let error, let isLasting):
            if !isHealed, isLasting || index == number { throw error }
            return try work()
        case .shortWrite:
            return try work()
        }
    }

    /// Performs the reading of a part, which fails as other calls do.
    ///
    /// A process that dies in it leaves no more behind than one that dies in the call after it, so deaths do not count it.
    func performReading<Result>(
        _ call: String, _ work: () throws(FileSystemError) -> Result
    ) throws(FileSystemError) -> Result {
        let onReading = state.withLock { state in
            defer { state.onReading = nil }
            return state.onReading
        }
        onReading?()
        guard case .death = fault else { return try perform(call, work) }
        guard !isDead else { throw .failed(code: 5) }
        return try work()
    }

    /// Number of the `count` bytes that the next write takes.
    func share(of count: Int) -> Int {
        guard case .shortWrite(let isLasting) = fault else { return count }
        let (index, isHealed) = state.withLock { ($0.calls.count, $0.isHealed) }
        guard !isHealed, index == number || isLasting && index > number else { return count }
        return isLasting ? 1 : max(1, count / 2)
    }

    private func leaveBehind<Result>(
        _ moment: DiskFault.Moment, _ work: () throws(FileSystemError) -> Result,
        half: () throws(FileSystemError) -> Void
    ) throws(FileSystemError) {
        switch moment {
        case .before: break
        case .during: try half()
        case .after: _ = try work()
        }
    }
}
