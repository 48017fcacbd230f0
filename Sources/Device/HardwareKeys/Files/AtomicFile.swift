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

    /// Reads the first and the last bytes of the content.
    package func ends(first: Int, last: Int) throws(FileSystemError) -> FileEnds {
        try fileSystem.readEnds(path, first: first, last: last)
    }

    /// Makes `bytes` the content; they are durable when the call returns.
    ///
    /// A crash leaves the old content, or the new one, and maybe a file beside it that the next replacement removes
    /// without reading it. An error leaves the old content, with one exception: when the directory cannot be
    /// synchronised, the new content can be read already but a power loss may bring back the old one. Only one caller
    /// at a time: the owner of the file holds a lock.
    package func replace(with bytes: [UInt8]) throws(FileSystemError) {
        let new = path + ".new"
        try removeIfPresent(new)
        do {
            try fileSystem.create(new, holding: bytes)
            try fileSystem.rename(new, to: path)
        } catch {
            // On a full disk the half file would keep away the room that the next try needs.
            try? fileSystem.remove(new)
            throw error
        }
        try fileSystem.synchronizeDirectory(directory)
    }

    /// Removes the file; one that is not there counts as removed.
    ///
    /// The directory is synchronised in any case: an earlier call may have been cut off before it came to that.
    package func remove() throws(FileSystemError) {
        try removeIfPresent(path)
        try fileSystem.synchronizeDirectory(directory)
    }

    private func removeIfPresent(_ path: String) throws(FileSystemError) {
        do {
            try fileSystem.remove(path)
        } catch .absent {
            return
        }
    }
}
