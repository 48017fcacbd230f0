/// The few things that vault and credential store ask of a file system; tests put a failing one in between.
///
/// Every path is absolute or relative to the working directory. Files are private to their owner; the calls block.
package protocol FileSystem: Sendable {
    /// Makes a directory with mode 0700, and the missing ones above it; one that is there must be private.
    func makeDirectory(_ path: String) throws(FileSystemError)

    /// Reads a whole private file of at most `limit` bytes; symbolic links are not followed.
    func read(_ path: String, atMost limit: Int) throws(FileSystemError) -> [UInt8]

    /// Makes a new file with mode 0600, writes `bytes` and waits until they are on the disk.
    func create(_ path: String, holding bytes: [UInt8]) throws(FileSystemError)

    /// Gives a file another name in the same directory; a file of that name is replaced in one step.
    func rename(_ path: String, to newPath: String) throws(FileSystemError)

    /// Removes a file.
    func remove(_ path: String) throws(FileSystemError)

    /// Waits until names made or removed in a directory are on the disk.
    func synchronizeDirectory(_ path: String) throws(FileSystemError)

    /// Takes the exclusive lock that the file `path` stands for; it is held until the value is let go of.
    ///
    /// The lock counts between processes and between two takers in one process. Throws `busy` after ten seconds.
    func lock(_ path: String) throws(FileSystemError) -> FileLock
}
