/// Reads bytes forward from a bounded input, never past its end.
///
/// The reader holds a slice of the caller's bytes, so taking parts of it copies nothing. Every read compares the size
/// asked for with the bytes that are there before anything is taken.
package struct OctetReader: Sendable {
    private let octets: ArraySlice<UInt8>
    private var next: Int

    package init(_ bytes: ArraySlice<UInt8>) {
        octets = bytes
        next = bytes.startIndex
    }

    package init(_ bytes: [UInt8]) { self.init(bytes[...]) }

    package var rest: ArraySlice<UInt8> { octets[next...] }

    package var position: Int { next - octets.startIndex }

    package var isAtEnd: Bool { next == octets.endIndex }

    package mutating func read(count: Int) throws(OctetError) -> ArraySlice<UInt8> {
        let start = try advance(by: count)
        return octets[start..<next]
    }

    package mutating func readUInt8() throws(OctetError) -> UInt8 { octets[try advance(by: 1)] }

    package mutating func readUInt16LittleEndian() throws(OctetError) -> UInt16 {
        let start = try advance(by: 2)
        return UInt16(octets[start]) | UInt16(octets[start + 1]) << 8
    }

    package mutating func readUInt32LittleEndian() throws(OctetError) -> UInt32 {
        let low = try readUInt16LittleEndian()
        let high = try readUInt16LittleEndian()
        return UInt32(low) | UInt32(high) << 16
    }

    package mutating func readUInt32BigEndian() throws(OctetError) -> UInt32 {
        try readUInt32LittleEndian().byteSwapped
    }

    package mutating func readRest() -> ArraySlice<UInt8> {
        defer { next = octets.endIndex }
        return rest
    }

    /// Ends reading; throws `trailing` when bytes are left.
    package func finish() throws(OctetError) {
        guard isAtEnd else { throw .trailing(position: position, count: octets.endIndex - next) }
    }

    /// Passes over `count` bytes and gives the index of the first of them.
    private mutating func advance(by count: Int) throws(OctetError) -> Int {
        let available = octets.endIndex - next
        guard count >= 0, count <= available else {
            throw .truncated(position: position, needed: count, available: available)
        }
        defer { next += count }
        return next
    }
}

/// Collects bytes in order.
package struct OctetWriter: Sendable {
    package private(set) var bytes: [UInt8] = []

    package init(capacity: Int = 0) { bytes.reserveCapacity(capacity) }

    package mutating func write(_ octets: some Sequence<UInt8>) { bytes.append(contentsOf: octets) }

    package mutating func writeUInt8(_ value: UInt8) { bytes.append(value) }

    package mutating func writeUInt16LittleEndian(_ value: UInt16) {
        bytes.append(UInt8(truncatingIfNeeded: value))
        bytes.append(UInt8(truncatingIfNeeded: value >> 8))
    }

    package mutating func writeUInt32LittleEndian(_ value: UInt32) {
        writeUInt16LittleEndian(UInt16(truncatingIfNeeded: value))
        writeUInt16LittleEndian(UInt16(truncatingIfNeeded: value >> 16))
    }

    package mutating func writeUInt32BigEndian(_ value: UInt32) {
        writeUInt32LittleEndian(value.byteSwapped)
    }
}

/// Errors of reading bounded bytes.
@nonexhaustive
package enum OctetError: Error, Hashable, Sendable {
    /// Fewer bytes are left than the reader was asked for; `position` is the offset in bytes from the start.
    case truncated(position: Int, needed: Int, available: Int)
    /// Bytes are left where the input had to end; `position` is the offset of the first of them.
    case trailing(position: Int, count: Int)
}
