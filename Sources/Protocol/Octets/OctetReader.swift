/// Reads bytes forward from a bounded input, never past its end.
///
/// The reader holds a slice of the caller's bytes, so taking parts of it copies nothing. Every read compares the size
/// asked for with the bytes that are there before anything is taken.
package struct OctetReader: Sendable {
    /// The bytes that have not been read yet.
    package private(set) var rest: ArraySlice<UInt8>
    private let origin: Int

    /// Starts reading at the first of `bytes`.
    package init(_ bytes: ArraySlice<UInt8>) {
        rest = bytes
        origin = bytes.startIndex
    }

    /// Starts reading at the first of `bytes`.
    package init(_ bytes: [UInt8]) {
        self.init(bytes[...])
    }

    /// Offset in bytes of the next read from the start of the input.
    package var position: Int { rest.startIndex - origin }

    /// True once every byte has been read.
    package var isAtEnd: Bool { rest.isEmpty }

    /// Takes `count` bytes.
    package mutating func read(count: Int) throws(OctetError) -> ArraySlice<UInt8> {
        guard count >= 0, count <= rest.count else {
            throw .truncated(position: position, needed: count, available: rest.count)
        }
        let taken = rest.prefix(count)
        rest = rest.dropFirst(count)
        return taken
    }

    /// Takes one byte.
    package mutating func readUInt8() throws(OctetError) -> UInt8 {
        let taken = try read(count: 1)
        return taken[taken.startIndex]
    }

    /// Takes two bytes, least significant first.
    package mutating func readUInt16LittleEndian() throws(OctetError) -> UInt16 {
        let taken = try read(count: 2)
        let start = taken.startIndex
        return UInt16(taken[start]) | UInt16(taken[start + 1]) << 8
    }

    /// Takes four bytes, least significant first.
    package mutating func readUInt32LittleEndian() throws(OctetError) -> UInt32 {
        let low = try readUInt16LittleEndian()
        let high = try readUInt16LittleEndian()
        return UInt32(low) | UInt32(high) << 16
    }

    /// Takes four bytes, most significant first.
    package mutating func readUInt32BigEndian() throws(OctetError) -> UInt32 {
        try readUInt32LittleEndian().byteSwapped
    }

    /// Takes everything that is left.
    package mutating func readRest() -> ArraySlice<UInt8> {
        let taken = rest
        rest = rest.dropFirst(rest.count)
        return taken
    }

    /// Ends reading; throws `trailing` when bytes are left.
    package func finish() throws(OctetError) {
        guard isAtEnd else { throw .trailing(position: position, count: rest.count) }
    }
}
