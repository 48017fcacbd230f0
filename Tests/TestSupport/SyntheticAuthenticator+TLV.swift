import Octets

/// A TLV element as a tree, so that a test can spoil exactly one place of an assertion.
///
/// Unlike the writer of `UAF` it knows no rules: it writes whatever it is told.
package struct SyntheticTLV: Sendable {
    /// What an element holds.
    package enum Content: Sendable {
        case octets([UInt8])
        case elements([SyntheticTLV])
    }

    /// The tag.
    package var tag: UInt16
    /// The value.
    package var content: Content

    /// An element with a plain value.
    package init(_ tag: UInt16, _ octets: [UInt8]) {
        self.tag = tag
        content = .octets(octets)
    }

    /// An element that holds others.
    package init(_ tag: UInt16, elements: [SyntheticTLV]) {
        self.tag = tag
        content = .elements(elements)
    }

    /// Tag, length and value.
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

    /// The elements inside; empty for a plain value.
    package var elements: [SyntheticTLV] {
        get {
            guard case .elements(let elements) = content else { return [] }
            return elements
        }
        set { content = .elements(newValue) }
    }

    /// Gives the element with this tag another value.
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

    /// Takes the element with this tag away.
    package mutating func remove(_ tag: UInt16) {
        elements.removeAll { $0.tag == tag }
    }

    /// Adds an element at the end.
    package mutating func append(_ element: SyntheticTLV) {
        elements.append(element)
    }
}
