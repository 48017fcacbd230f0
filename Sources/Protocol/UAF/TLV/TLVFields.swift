/// The elements inside a composite, in any order.
///
/// A tag that is not expected ends the reading when it is critical and is skipped when it is not. A tag that may occur
/// once and occurs twice is an error (FIDO UAF Authenticator Commands 1.1, 5.1).
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
