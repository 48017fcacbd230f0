/// One thing that a ``RecordingFileSystem`` was asked to change.
///
/// Files have numbers, because names move.
package enum DiskStep: Hashable, Sendable {
    case makeDirectory(String)
    case makeFile(String, file: Int)
    case write(file: Int, bytes: [UInt8])
    case synchronize(file: Int)
    case rename(String, to: String)
    case remove(String)
    case synchronizeDirectory(String)
    /// Not a call: the caller of the store was told that this value is safe.
    case acknowledge(Int)
    /// Not a call: the counter of a chip went on to this value, for good.
    case count(UInt64)
}
