/// A file that is being made or written on: filled from front to back, waited for, closed.
///
/// A value that is released without ``close()`` is closed; what was written stays under the file's name.
package protocol NewFile: AnyObject {
    /// Appends the first of `bytes`, which are not empty; gives the number taken, at least 1 and often fewer than
    /// asked.
    func write(_ bytes: ArraySlice<UInt8>) throws(FileSystemError) -> Int

    /// Waits until everything written so far, and the length of the file, is on the disk.
    func synchronize() throws(FileSystemError)

    func close() throws(FileSystemError)
}

extension NewFile {
    func writeAll(_ bytes: [UInt8]) throws(FileSystemError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = try FileSystemError.repeatingInterrupted { () throws(FileSystemError) in try write(rest) }
            rest = rest.dropFirst(count)
        }
    }
}
