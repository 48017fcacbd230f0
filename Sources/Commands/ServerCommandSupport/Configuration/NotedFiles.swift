import CommandSupport
import StrictYAML
import Synchronization

/// The files of the system, with a note of what was looked for.
package final class NotedFiles: FileReading {
    private let files = PosixFiles()
    private let noted = Mutex<Set<String>>([])

    package init() {}

    /// Paths that were asked for, whether there is a file or not.
    package var paths: Set<String> { noted.withLock { $0 } }

    package func contents(of path: String) -> [UInt8]? {
        note(path)
        return files.contents(of: path)
    }

    package func permissions(of path: String) -> UInt16? {
        note(path)
        return files.permissions(of: path)
    }

    package func names(in folder: String) -> [String]? {
        note(folder)
        return files.names(in: folder)
    }

    private func note(_ path: String) { noted.withLock { _ = $0.insert(path) } }
}
