import Octets

/// Reads a sequence of elements, one after the other; it never looks into their values.
///
/// FIDO UAF Authenticator Commands 1.1, 5.1. Whoever knows what a composite holds reads its value with a reader of its
/// own, so the depth is bounded by the structures that are known, and unknown composites are never entered.
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
