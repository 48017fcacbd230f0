import Octets

/// Writes elements one after the other.
package struct TLVWriter: Sendable {
    private var writer = OctetWriter()

    /// Starts empty.
    package init() {}

    /// Everything written so far.
    package var octets: [UInt8] { writer.bytes }

    /// Writes an element with the given value.
    package mutating func write(_ tag: TLVTag, _ value: some Collection<UInt8>) throws(TLVError) {
        guard let length = UInt16(exactly: value.count) else {
            throw .valueTooLong(tag, byteCount: value.count)
        }
        writer.writeUInt16LittleEndian(tag.rawValue)
        writer.writeUInt16LittleEndian(length)
        writer.write(value)
    }

    /// Writes an element whose value is one little-endian number of 16 bits.
    package mutating func write(_ tag: TLVTag, uint16 value: UInt16) throws(TLVError) {
        try write(tag, [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)])
    }

    /// Writes a composite whose elements `build` writes.
    package mutating func write(
        _ tag: TLVTag, build: (inout TLVWriter) throws(TLVError) -> Void
    ) throws(TLVError) {
        var inner = TLVWriter()
        try build(&inner)
        try write(tag, inner.octets)
    }

    /// Writes elements that are encoded already, as they are.
    package mutating func write(encoded octets: [UInt8]) {
        writer.write(octets)
    }
}
