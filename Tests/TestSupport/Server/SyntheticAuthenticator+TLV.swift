import Octets

/// TLV element as a tree, in which a test can corrupt exactly one place of an assertion.
///
/// In contrast to the writer of `UAF` it enforces no rules.
package struct SyntheticTLV: Sendable {
    /// Content of an element.
    package enum Content: Sendable {
        case octets([UInt8])
        case elements([SyntheticTLV])
    }

    /// Tag of the element.
    package var tag: UInt16
    /// Content of the element.
    package var content: Content

    /// Element with a plain value.
    package init(_ tag: UInt16, _ octets: [UInt8]) {
        self.tag = tag
        content = .octets(octets)
    }

    /// Element that contains others.
    package init(_ tag: UInt16, elements: [SyntheticTLV]) {
        self.tag = tag
        content = .elements(elements)
    }

    /// Encoding: tag, length and value.
    package var encoded: [UInt8] {
        let value =
            switch content {
            case .octets(let octets): octets
            case .elements(let elements): elements.flatMap(\.encoded)
            }
        var writer = OctetWriter(capacity: value.count + 4)
        writer.writeUInt16LittleEndian(tag)
        writer.writeUInt16LittleEndian(UInt16(value.count))
        writer.write(value)
        return writer.bytes
    }

    /// Nested elements; empty for a plain value.
    package var elements: [SyntheticTLV] {
        get {
            guard case .elements(let elements) = content else { return [] }
            return elements
        }
        set { content = .elements(newValue) }
    }

    /// Replaces the value of the element with this tag.
    package mutating func set(_ tag: UInt16, to octets: [UInt8]) {
        for index in elements.indices where elements[index].tag == tag { elements[index].content = .octets(octets) }
    }

    /// Changes the value of the element with this tag.
    package mutating func change(_ tag: UInt16, _ change: (inout [UInt8]) -> Void) {
        for index in elements.indices where elements[index].tag == tag {
            guard case .octets(var octets) = elements[index].content else { continue }
            change(&octets)
            elements[index].content = .octets(octets)
        }
    }

    /// Removes the element with this tag.
    package mutating func remove(_ tag: UInt16) {
        elements.removeAll { $0.tag == tag }
    }

    /// Adds an element at the end.
    package mutating func append(_ element: SyntheticTLV) {
        elements.append(element)
    }
}
