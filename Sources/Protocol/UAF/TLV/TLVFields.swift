/// The elements inside a composite, in any order.
///
/// A tag that is not expected ends the reading when it is critical and is skipped when it is not. A tag that may occur
/// once and occurs twice is an error (FIDO UAF Authenticator Commands 1.1, 4). Beside the bytes only the places of the
/// elements are kept, so that reading takes no memory.
package struct TLVFields: Sendable {
    private let octets: ArraySlice<UInt8>
    private let single: [TLVTag]
    /// For each of the single tags, where its element begins in the value, counted from 1; 0 when there is none.
    private var places = SIMD16<UInt32>()
    private var hasRepeatable = false

    /// Reads the value of `container`, which may hold at most 16 single tags; only tags that are named here may be asked
    /// for afterwards.
    package init(of container: TLVElement, single: [TLVTag], repeatable: [TLVTag] = []) throws(TLVError) {
        octets = container.value
        self.single = single
        var reader = TLVReader(octets)
        while let head = try reader.nextHead() {
            let start = head.range.lowerBound
            if let place = place(of: head.tag) {
                guard places[place] == 0 else { throw .repeatedTag(head.tag, position: start) }
                places[place] = UInt32(truncatingIfNeeded: start - octets.startIndex + 1)
            } else if repeatable.contains(head.tag) {
                hasRepeatable = true
            } else if head.tag.isCritical {
                throw .unexpectedTag(head.tag, position: start)
            }
        }
    }

    private func place(of tag: TLVTag) -> Int? {
        (0..<min(single.count, places.scalarCount)).first { single[$0] == tag }
    }

    /// The first element with this tag.
    package subscript(tag: TLVTag) -> TLVElement? {
        guard place(of: tag) != nil else { return all(tag).first }
        guard let range = range(of: tag) else { return nil }
        return TLVElement(tag: tag, octets: octets[range])
    }

    private func range(of tag: TLVTag) -> Range<Int>? {
        guard let place = place(of: tag), places[place] > 0 else { return nil }
        let start = octets.startIndex + Int(places[place]) - 1
        return start..<start + TLVElement.headByteCount + (Int(octets[start + 2]) | Int(octets[start + 3]) << 8)
    }

    /// Throws unless an element with a single tag, if there is one, has a value of so many bytes.
    func requireForm(_ tag: TLVTag, byteCounts: some RangeExpression<Int>) throws(TLVError) {
        guard let range = range(of: tag) else { return }
        guard byteCounts.contains(range.count - TLVElement.headByteCount) else {
            throw .invalidValue(tag, position: range.lowerBound)
        }
    }

    /// Throws unless there is an element with a single tag, with a value of so many bytes.
    func require(_ tag: TLVTag, byteCounts: some RangeExpression<Int> = 0...) throws(TLVError) {
        guard range(of: tag) != nil else { throw .missingTag(tag) }
        try requireForm(tag, byteCounts: byteCounts)
    }

    package func required(_ tag: TLVTag) throws(TLVError) -> TLVElement {
        guard let element = self[tag] else { throw .missingTag(tag) }
        return element
    }

    /// The bytes of the element with this tag, which must be there and must not be empty.
    package func requiredOctets(_ tag: TLVTag) throws(TLVError) -> [UInt8] {
        Array(try required(tag).value(byteCounts: 1...))
    }

    package func all(_ tags: TLVTag...) -> [TLVElement] {
        all { tags.contains($0) }
    }

    func all(where fits: (TLVTag) -> Bool) -> [TLVElement] {
        guard hasRepeatable else { return [] }
        var elements: [TLVElement] = []
        var reader = TLVReader(octets)
        while let head = reader.known() {
            if fits(head.tag) { elements.append(reader.element(head)) }
        }
        return elements
    }
}

extension TLVReader {
    /// The next head of elements that have been read before without an error.
    fileprivate mutating func known() -> Head? { (try? nextHead()) ?? nil }
}

extension TLVElement {
    /// The value of the first element with this tag inside a composite that was read before, or written here.
    func known(_ tag: TLVTag) -> ArraySlice<UInt8>? {
        var reader = TLVReader(value)
        while let head = reader.known() {
            if head.tag == tag { return reader.element(head).value }
        }
        return nil
    }
}
