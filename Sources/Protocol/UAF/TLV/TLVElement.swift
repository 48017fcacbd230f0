package import Octets

/// One element: tag, length and value, as slices of the bytes it was read from.
package struct TLVElement: Sendable {
    /// What the value is.
    package let tag: TLVTag
    /// Tag, length and value.
    package let octets: ArraySlice<UInt8>
    /// The value alone.
    package var value: ArraySlice<UInt8> { octets.dropFirst(Self.headByteCount) }

    /// Bytes of tag and length.
    private static let headByteCount = 4

    /// Offset of the tag from the start of the outermost element.
    package var position: Int { octets.startIndex }

    /// The bytes of the value when their number lies in `byteCounts`.
    package func value(byteCounts: some RangeExpression<Int>) throws(TLVError) -> ArraySlice<UInt8> {
        guard byteCounts.contains(value.count) else { throw .invalidValue(tag, position: position) }
        return value
    }

    /// The value when it holds exactly one little-endian number of 16 bits.
    package func uint16() throws(TLVError) -> UInt16 {
        try fields { reader throws(OctetError) in try reader.readUInt16LittleEndian() }
    }

    /// The value when it holds exactly one byte.
    package func uint8() throws(TLVError) -> UInt8 {
        try fields { reader throws(OctetError) in try reader.readUInt8() }
    }

    /// The value when it is UTF-8 text.
    package func text() throws(TLVError) -> String {
        guard let text = String(validating: value, as: UTF8.self) else {
            throw .invalidValue(tag, position: position)
        }
        return text
    }

    /// Reads a value of fixed fields; bytes that `read` leaves over are an error.
    package func fields<Fields>(
        _ read: (inout OctetReader) throws(OctetError) -> Fields
    ) throws(TLVError) -> Fields {
        var reader = OctetReader(value)
        do throws(OctetError) {
            let fields = try read(&reader)
            try reader.finish()
            return fields
        } catch {
            throw .invalidValue(tag, position: position)
        }
    }
}
