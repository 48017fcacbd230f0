/// The beginning and the end of a file, by which its owner knows it again without reading the whole.
package struct FileEnds: Hashable, Sendable {
    /// Length of the file, in bytes.
    package let byteCount: Int
    /// The first bytes; fewer than asked for when the file is shorter.
    package let first: [UInt8]
    /// The last bytes; fewer than asked for when the file is shorter.
    package let last: [UInt8]

    /// Takes what was read.
    package init(byteCount: Int, first: [UInt8], last: [UInt8]) {
        self.byteCount = byteCount
        self.first = first
        self.last = last
    }
}
