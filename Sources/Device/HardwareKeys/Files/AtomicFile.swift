/// A file that is always its old or its new content, whatever happens while it is replaced.
package struct AtomicFile: Sendable {
    private let fileSystem: any FileSystem
    private let directory: String
    private let path: String

    /// Names a file in an existing directory.
    package init(named name: String, in directory: String, of fileSystem: any FileSystem) {
        self.fileSystem = fileSystem
        self.directory = directory
        path = directory + "/" + name
    }

    package func read(atMost limit: Int) throws(FileSystemError) -> [UInt8] {
        try fileSystem.read(path, atMost: limit)
    }

    package func ends(first: Int, last: Int) throws(FileSystemError) -> FileEnds {
        try fileSystem.readEnds(path, first: first, last: last)
    }

    /// Opens the content for reading in parts; it stays what it is when the file is replaced.
    package func open() throws(FileSystemError) -> any ReadableFile {
        try fileSystem.openFile(path)
    }

    /// Makes `bytes` the content; they are durable when the call returns.
    ///
    /// A crash leaves the old content, or the new one, and maybe a file beside it that the next replacement removes
    /// without reading it. An error leaves the old content, with one exception: when the directory cannot be
    /// synchronised, the new content can be read already but a power loss may bring back the old one. Only one caller
    /// at a time: the owner of the file holds a lock.
    package func replace(with bytes: [UInt8]) throws(FileSystemError) {
        try replace(with: bytes) { _ in }
    }

    /// The same, with the new content open for reading.
    ///
    /// It is opened before it gets its name: when that fails, nothing has happened.
    package func replaceAndOpen(with bytes: [UInt8]) throws(FileSystemError) -> any ReadableFile {
        try replace(with: bytes) { new throws(FileSystemError) in try fileSystem.openFile(new) }
    }

    /// Writes `bytes` behind the content and waits until they are on the disk; then `receipt`, without waiting.
    ///
    /// False when the receipt could not be written although the bytes were. A crash or an error leaves the old content
    /// and any part of what was to follow. Only one caller at a time: the owner of the file holds a lock.
    package func append(_ bytes: [UInt8], receipt: [UInt8]) throws(FileSystemError) -> Bool {
        // What a crash left of a replacement would lie there until the next one.
        try removeIfPresent(path + ".new")
        let file = try FileSystemError.repeatingInterrupted { () throws(FileSystemError) in
            try fileSystem.appendFile(path)
        }
        try file.writeAll(bytes)
        try FileSystemError.repeatingInterrupted { () throws(FileSystemError) in try file.synchronize() }
        do {
            try file.writeAll(receipt)
            try file.close()
            return true
        } catch {
            return false
        }
    }

    private func replace<Result>(
        with bytes: [UInt8], _ look: (String) throws(FileSystemError) -> Result
    ) throws(FileSystemError) -> Result {
        let new = path + ".new"
        try removeIfPresent(new)
        let result: Result
        do {
            try fileSystem.create(new, holding: bytes)
            result = try look(new)
            try fileSystem.rename(new, to: path)
        } catch {
            // On a full disk the half file would keep away the room that the next try needs.
            try? fileSystem.remove(new)
            throw error
        }
        try fileSystem.synchronizeDirectory(directory)
        return result
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
