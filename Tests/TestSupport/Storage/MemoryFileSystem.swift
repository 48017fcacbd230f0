package import HardwareKeys
import Locking

/// File system in memory, for tests that write a million small files.
package final class MemoryFileSystem: FileSystem {
    private struct Contents {
        var directories: Set<String> = []
        var files: [String: [UInt8]] = [:]
        var locks: Set<String> = []
    }

    private let contents = Lock(Contents())

    /// Empty file system.
    package init() {}

    /// Content of a file; nil when it is absent.
    package func bytes(of path: String) -> [UInt8]? {
        contents.withLock { $0.files[path] }
    }

    /// Replaces the content of a file.
    package func overwrite(_ path: String, with bytes: [UInt8]) {
        contents.withLock { $0.files[path] = bytes }
    }

    package func makeDirectory(_ path: String) throws(FileSystemError) {
        contents.withLock { _ = $0.directories.insert(path) }
    }

    package func read(_ path: String, atMost limit: Int) throws(FileSystemError) -> [UInt8] {
        guard let bytes = bytes(of: path) else { throw .absent }
        guard bytes.count <= limit else { throw .tooLarge(limit: limit) }
        return bytes
    }

    package func appendFile(_ path: String) throws(FileSystemError) -> any NewFile {
        guard bytes(of: path) != nil else { throw .absent }
        return MemoryFile(path, in: self)
    }

    package func names(in directory: String) throws(FileSystemError) -> [String] {
        contents.withLock { contents in
            contents.files.keys.filter { $0.hasPrefix(directory + "/") }
                .map { String($0.dropFirst(directory.utf8.count + 1)) }
        }
    }

    package func makeFile(_ path: String) throws(FileSystemError) -> any NewFile {
        let isNew = contents.withLock { contents in
            guard contents.files[path] == nil else { return false }
            contents.files[path] = []
            return true
        }
        guard isNew else { throw .present }
        return MemoryFile(path, in: self)
    }

    package func rename(_ path: String, to newPath: String) throws(FileSystemError) {
        let isThere = contents.withLock { contents in
            guard let bytes = contents.files.removeValue(forKey: path) else { return false }
            contents.files[newPath] = bytes
            return true
        }
        guard isThere else { throw .absent }
    }

    package func remove(_ path: String) throws(FileSystemError) {
        guard contents.withLock({ $0.files.removeValue(forKey: path) }) != nil else { throw .absent }
    }

    package func synchronizeDirectory(_ path: String) throws(FileSystemError) {}

    /// Fails with `busy` at once for a lock that is held, without waiting.
    package func tryLock(_ path: String) throws(FileSystemError) -> FileLock? {
        guard contents.withLock({ $0.locks.insert(path).inserted }) else { return nil }
        return FileLock { [weak self] in self?.contents.withLock { _ = $0.locks.remove(path) } }
    }

    fileprivate func append(_ bytes: ArraySlice<UInt8>, to path: String) {
        contents.withLock { $0.files[path, default: []] += bytes }
    }

    private final class MemoryFile: NewFile {
        private let path: String
        private let fileSystem: MemoryFileSystem

        init(_ path: String, in fileSystem: MemoryFileSystem) {
            self.path = path
            self.fileSystem = fileSystem
        }

        func write(_ bytes: ArraySlice<UInt8>) throws(FileSystemError) -> Int {
            fileSystem.append(bytes, to: path)
            return bytes.count
        }

        func synchronize() throws(FileSystemError) {}

        func close() throws(FileSystemError) {}
    }
}
