import SwiftASN1

/// Fields of a sequence or set, one by one.
struct AndroidFields {
    private var nodes: ASN1NodeCollection.Iterator

    /// Reads a sequence that fills the octets.
    init(sequence octets: ArraySlice<UInt8>) throws(AndroidRefusal) {
        guard let node = try? DER.parse(octets) else { throw .malformed }
        try self.init(node, .sequence)
    }

    init(_ node: ASN1Node, _ identifier: ASN1Identifier) throws(AndroidRefusal) {
        guard node.identifier == identifier, case .constructed(let nodes) = node.content else { throw .malformed }
        self.nodes = nodes.makeIterator()
    }

    mutating func nextOrEnd() -> ASN1Node? { nodes.next() }

    mutating func next() throws(AndroidRefusal) -> ASN1Node {
        guard let node = nodes.next() else { throw .malformed }
        return node
    }

    mutating func finish() throws(AndroidRefusal) {
        guard nodes.next() == nil else { throw .malformed }
    }

    mutating func readInteger(_ identifier: ASN1Identifier = .integer) throws(AndroidRefusal) -> Int {
        try Self.integer(try next(), identifier)
    }

    mutating func readOctets() throws(AndroidRefusal) -> [UInt8] {
        try Self.octets(try next())
    }

    mutating func readBool() throws(AndroidRefusal) -> Bool {
        guard let value = try? Bool(derEncoded: try next()) else { throw .malformed }
        return value
    }

    static func integer(_ node: ASN1Node, _ identifier: ASN1Identifier = .integer) throws(AndroidRefusal) -> Int {
        guard let value = try? Int(derEncoded: node, withIdentifier: identifier) else { throw .malformed }
        return value
    }

    static func octets(_ node: ASN1Node) throws(AndroidRefusal) -> [UInt8] {
        guard let value = try? ASN1OctetString(derEncoded: node) else { throw .malformed }
        return Array(value.bytes)
    }

    static func integers(_ node: ASN1Node) throws(AndroidRefusal) -> Set<Int> {
        var fields = try AndroidFields(node, .set)
        var values: Set<Int> = []
        while let element = fields.nextOrEnd() { values.insert(try integer(element)) }
        return values
    }
}
