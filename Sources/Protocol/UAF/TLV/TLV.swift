package import Octets

/// One element: tag, length and value, as slices of the bytes it was read from.
package struct TLVElement: Sendable {
    /// Tag that identifies the value.
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
/// FIDO UAF Authenticator Commands 1.1, section 4. Whoever knows what a composite holds reads its value with a reader
/// of its own, so the depth is bounded by the structures that are known, and unknown composites are never entered.
package struct TLVReader: Sendable {
    private var reader: OctetReader

    /// Starts at the first of `octets`; their indices are the positions that errors tell.
    package init(_ octets: ArraySlice<UInt8>) {
        reader = OctetReader(octets)
    }

    /// The next element, or nil at the end.
    package mutating func next() throws(TLVError) -> TLVElement? {
        guard !reader.isAtEnd else { return nil }
        let input = reader.rest
        let start = input.startIndex
        let (tag, end): (UInt16, Int)
        do throws(OctetError) {
            tag = try reader.readUInt16LittleEndian()
            end = try reader.read(count: Int(try reader.readUInt16LittleEndian())).endIndex
        } catch {
            throw .truncated(position: start)
        }
        guard tag & ~TLVTag.mask == 0 else { throw .invalidTag(tag, position: start) }
        return TLVElement(tag: TLVTag(rawValue: tag), octets: input[start..<end])
    }

    /// The one element that `octets` consist of, which must have the tag `tag`.
    package static func readOnly(_ tag: TLVTag, from octets: [UInt8]) throws(TLVError) -> TLVElement {
        var reader = TLVReader(octets[...])
        guard let element = try reader.next() else { throw .missingTag(tag) }
        guard element.tag == tag else { throw .unexpectedTag(element.tag, position: element.position) }
        guard reader.reader.isAtEnd else { throw .trailing(position: element.octets.endIndex) }
        return element
    }
}

/// The elements inside a composite, in any order.
///
/// A tag that is not expected ends the reading when it is critical and is skipped when it is not. A tag that may occur
/// once and occurs twice is an error (FIDO UAF Authenticator Commands 1.1, 4).
package struct TLVFields: Sendable {
    private var elements: [TLVElement] = []

    /// Reads the value of `container`.
    package init(of container: TLVElement, single: [TLVTag], repeatable: [TLVTag] = []) throws(TLVError) {
        elements.reserveCapacity(single.count)
        var reader = TLVReader(container.value)
        while let element = try reader.next() {
            if single.contains(element.tag) {
                guard index(of: element.tag) == nil else {
                    throw .repeatedTag(element.tag, position: element.position)
                }
            } else if !repeatable.contains(element.tag) {
                guard !element.tag.isCritical else {
                    throw .unexpectedTag(element.tag, position: element.position)
                }
                continue
            }
            elements.append(element)
        }
    }

    /// The first element with this tag.
    package subscript(tag: TLVTag) -> TLVElement? {
        index(of: tag).map { elements[$0] }
    }

    private func index(of tag: TLVTag) -> Int? {
        elements.indices.first { elements[$0].tag == tag }
    }

    /// The element with this tag, which must be there.
    package func required(_ tag: TLVTag) throws(TLVError) -> TLVElement {
        guard let element = self[tag] else { throw .missingTag(tag) }
        return element
    }

    /// The bytes of the element with this tag, which must be there and must not be empty.
    package func requiredOctets(_ tag: TLVTag) throws(TLVError) -> [UInt8] {
        Array(try required(tag).value(byteCounts: 1...))
    }

    /// All elements with one of these tags, in order.
    package func all(_ tags: TLVTag...) -> [TLVElement] {
        elements.filter { tags.contains($0.tag) }
    }
}

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
