/// Change that a ``RecordingFileSystem`` has recorded.
///
/// Files are identified by numbers, because names change.
package enum DiskStep: Hashable, Sendable {
    case makeDirectory(String)
    case makeFile(String, file: Int)
    case write(file: Int, bytes: [UInt8])
    case synchronize(file: Int)
    case rename(String, to: String)
    case remove(String)
    case synchronizeDirectory(String)
    /// Marker without a call: the store's caller was told that this value is durable.
    case acknowledge(Int)
    /// Marker without a call: the counter of a TPM has advanced to this value, which is irreversible.
    case count(UInt64)
}
