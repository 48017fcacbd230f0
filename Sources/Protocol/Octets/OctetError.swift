/// What can go wrong while reading bounded bytes.
@nonexhaustive
package enum OctetError: Error, Hashable, Sendable {
    /// Fewer bytes are left than the reader was asked for; `position` is the offset in bytes from the start.
    case truncated(position: Int, needed: Int, available: Int)
    /// Bytes are left where the input had to end; `position` is the offset of the first of them.
    case trailing(position: Int, count: Int)
}
