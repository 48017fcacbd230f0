/// A file that is always its old or its new content, whatever happens while it is replaced.
package struct AtomicFile: Sendable {
    private let fileSystem: any FileSystem
    private let directory: String
    private let path: String

    /// Names a file in a directory that exists.
    package init(named name: String, in directory: String, of fileSystem: any FileSystem) {
        self.fileSystem = fileSystem
        self.directory = directory
        path = directory + "/" + name
    }

    /// Reads the content of at most `limit` bytes.
    package func read(atMost limit: Int) throws(FileSystemError) -> [UInt8] {
        try fileSystem.read(path, atMost: limit)
    }

    /// Makes `bytes` the content; they are durable when the call returns.
    ///
    /// A crash leaves the old content, or the new one, and maybe a file beside it that the next replacement removes
    /// without reading it. Only one caller at a time: the owner of the file holds a lock.
    package func replace(with bytes: [UInt8]) throws(FileSystemError) {
        let new = path + ".new"
        do {
            try fileSystem.remove(new)
        } catch .absent {
            // The usual case: the last replacement went through.
        }
        try fileSystem.create(new, holding: bytes)
        try fileSystem.rename(new, to: path)
        try fileSystem.synchronizeDirectory(directory)
    }

    /// Removes the file; one that is not there counts as removed.
    package func remove() throws(FileSystemError) {
        do {
            try fileSystem.remove(path)
        } catch .absent {
            return
        }
        try fileSystem.synchronizeDirectory(directory)
    }
}
