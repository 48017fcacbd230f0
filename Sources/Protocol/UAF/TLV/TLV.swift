package import Octets

/// One element: tag, length and value, as slices of the bytes it was read from.
package struct TLVElement: Sendable {
    package let tag: TLVTag
    /// Tag, length and value.
    package let octets: ArraySlice<UInt8>
    package var value: ArraySlice<UInt8> { octets.dropFirst(Self.headByteCount) }

    /// Bytes of tag and length.
    static let headByteCount = 4

    /// Offset of the tag from the start of the outermost element.
    package var position: Int { octets.startIndex }

    package func value(byteCounts: some RangeExpression<Int>) throws(TLVError) -> ArraySlice<UInt8> {
        guard byteCounts.contains(value.count) else { throw .invalidValue(tag, position: position) }
        return value
    }

    package func text() throws(TLVError) -> String {
        guard let text = String(validUTF8: value) else {
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

/// Reads a sequence of elements, one after the other; it never looks into their values.
///
/// FIDO UAF Authenticator Commands 1.1, section 4. Code that knows what a composite holds reads its value with a new
/// reader, so the depth is bounded by the structures that are known, and unknown composites are never entered.
package struct TLVReader: Sendable {
    private let octets: ArraySlice<UInt8>
    private var position: Int

    /// Starts at the first of `octets`; their indices are the positions that errors tell.
    package init(_ octets: ArraySlice<UInt8>) {
        self.octets = octets
        position = octets.startIndex
    }

    package mutating func next() throws(TLVError) -> TLVElement? {
        guard let head = try nextHead() else { return nil }
        return element(head)
    }

    /// The one element that `octets` consist of, which must have the tag `tag`.
    package static func readOnly(_ tag: TLVTag, from octets: [UInt8]) throws(TLVError) -> TLVElement {
        var reader = TLVReader(octets[...])
        guard let element = try reader.next() else { throw .missingTag(tag) }
        guard element.tag == tag else { throw .unexpectedTag(element.tag, position: element.position) }
        guard reader.position == octets.endIndex else { throw .trailing(position: reader.position) }
        return element
    }

    /// Tag and place of an element.
    struct Head {
        let tag: TLVTag
        /// Tag, length and value.
        let range: Range<Int>
    }

    mutating func nextHead() throws(TLVError) -> Head? {
        let (start, available) = (position, octets.endIndex - position)
        guard available > 0 else { return nil }
        guard available >= TLVElement.headByteCount else { throw .truncated(position: start) }
        let byteCount = TLVElement.headByteCount + Int(uint16(at: start + 2))
        guard available >= byteCount else { throw .truncated(position: start) }
        let tag = uint16(at: start)
        guard tag & ~TLVTag.mask == 0 else { throw .invalidTag(tag, position: start) }
        position = start + byteCount
        return Head(tag: TLVTag(rawValue: tag), range: start..<position)
    }

    func element(_ head: Head) -> TLVElement { TLVElement(tag: head.tag, octets: octets[head.range]) }

    private func uint16(at index: Int) -> UInt16 { UInt16(octets[index]) | UInt16(octets[index + 1]) << 8 }
}

/// Writes elements one after the other.
package struct TLVWriter: Sendable {
    private var writer = OctetWriter()

    package init() {}

    package var octets: [UInt8] { writer.bytes }

    package mutating func write(_ tag: TLVTag, _ value: some Collection<UInt8>) throws(TLVError) {
        guard let length = UInt16(exactly: value.count) else {
            throw .valueTooLong(tag, byteCount: value.count)
        }
        writer.writeUInt16LittleEndian(tag.rawValue)
        writer.writeUInt16LittleEndian(length)
        writer.write(value)
    }

    package mutating func write(
        _ tag: TLVTag, build: (inout TLVWriter) throws(TLVError) -> Void
    ) throws(TLVError) {
        var inner = TLVWriter()
        try build(&inner)
        try write(tag, inner.octets)
    }

    package mutating func write(encoded octets: some Collection<UInt8>) { writer.write(octets) }
}
