package import HardwareKeys
import Locking

/// File system in memory that records every change; ``PowerLoss`` computes what a real disk may keep of them.
///
/// It has no owners and no modes. A lock that is held makes the next attempt fail at once with `busy`.
package final class RecordingFileSystem: FileSystem {
    /// Content of the disk at the start.
    package let start: DiskImage
    private let state: Lock<State>

    private struct State {
        var directories: Set<String>
        var names: [String: Int] = [:]
        var contents: [[UInt8]] = []
        var steps: [DiskStep] = []
        var locks: Set<String> = []
    }

    /// Starts with a disk on which everything is durable.
    package init(_ start: DiskImage = DiskImage()) {
        self.start = start
        var state = State(directories: start.directories)
        for (path, content) in start.files.sorted(by: { $0.key < $1.key }) {
            state.names[path] = state.contents.count
            state.contents.append(content)
        }
        self.state = Lock(state)
    }

    /// All recorded changes, in order.
    package var steps: [DiskStep] { state.withLock { $0.steps } }

    /// Content visible to the running system: every change, durable or not.
    package var image: DiskImage {
        state.withLock { state in
            DiskImage(directories: state.directories, files: state.names.mapValues { state.contents[$0] })
        }
    }

    /// Records that a caller was told that this value is durable.
    package func acknowledge(_ value: Int) {
        state.withLock { $0.steps.append(.acknowledge(value)) }
    }

    /// Records that the counter of a TPM has advanced.
    func note(count: UInt64) {
        state.withLock { $0.steps.append(.count(count)) }
    }

    package func makeDirectory(_ path: String) throws(FileSystemError) {
        state.withLock { state in
            guard state.directories.insert(path).inserted else { return }
            state.steps.append(.makeDirectory(path))
        }
    }

    package func read(_ path: String, atMost limit: Int) throws(FileSystemError) -> [UInt8] {
        let found = state.withLock { state in state.names[path].map { state.contents[$0] } }
        guard let found else { throw .absent }
        guard found.count <= limit else { throw .tooLarge(limit: limit) }
        return found
    }

    package func appendFile(_ path: String) throws(FileSystemError) -> any NewFile {
        guard let file = state.withLock({ $0.names[path] }) else { throw .absent }
        return RecordedNewFile(file, on: self)
    }

    package func names(in directory: String) throws(FileSystemError) -> [String] {
        image.files.keys.filter { $0.hasPrefix(directory + "/") }.map { String($0.dropFirst(directory.utf8.count + 1)) }
    }

    package func makeFile(_ path: String) throws(FileSystemError) -> any NewFile {
        let file = try change { state throws(FileSystemError) in
            guard state.directories.contains(DiskImage.directory(of: path)) else { throw .absent }
            guard state.names[path] == nil else { throw .present }
            let file = state.contents.count
            state.names[path] = file
            state.contents.append([])
            state.steps.append(.makeFile(path, file: file))
            return file
        }
        return RecordedNewFile(file, on: self)
    }

    package func rename(_ path: String, to newPath: String) throws(FileSystemError) {
        try change { state throws(FileSystemError) in
            guard let file = state.names.removeValue(forKey: path) else { throw .absent }
            state.names[newPath] = file
            state.steps.append(.rename(path, to: newPath))
        }
    }

    package func remove(_ path: String) throws(FileSystemError) {
        try change { state throws(FileSystemError) in
            guard state.names.removeValue(forKey: path) != nil else { throw .absent }
            state.steps.append(.remove(path))
        }
    }

    package func synchronizeDirectory(_ path: String) throws(FileSystemError) {
        try change { state throws(FileSystemError) in
            guard state.directories.contains(path) else { throw .absent }
            state.steps.append(.synchronizeDirectory(path))
        }
    }

    package func tryLock(_ path: String) throws(FileSystemError) -> FileLock? {
        guard state.withLock({ $0.locks.insert(path).inserted }) else { return nil }
        return FileLock { [weak self] in
            _ = self?.state.withLock { $0.locks.remove(path) }
        }
    }

    func append(_ bytes: ArraySlice<UInt8>, to file: Int) {
        state.withLock { state in
            state.contents[file] += bytes
            state.steps.append(.write(file: file, bytes: Array(bytes)))
        }
    }

    func synchronize(_ file: Int) {
        state.withLock { $0.steps.append(.synchronize(file: file)) }
    }

    private func change<Result: Sendable>(
        _ body: (inout State) throws(FileSystemError) -> Result
    ) throws(FileSystemError) -> Result {
        try state.withLock { state throws(FileSystemError) in try body(&state) }
    }
}
