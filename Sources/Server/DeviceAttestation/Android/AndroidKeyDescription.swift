import SwiftASN1

/// Description of a key by the key store that holds it (KeyDescription of the extension 1.3.6.1.4.1.11129.2.1.17).
package struct AndroidKeyDescription {
    /// Schemas that are known: Keymaster 2 (1) to 4.1 (4), KeyMint 1 (100) to 4 (400).
    private static let versions: Set<Int> = [1, 2, 3, 4, 100, 200, 300, 400]

    /// Place in which the statement was made.
    let attestationLevel: AndroidSecurityLevel
    /// Place in which the key lies.
    let keyLevel: AndroidSecurityLevel
    let challenge: [UInt8]
    /// Properties that the operating system vouches for.
    let software: AndroidProperties
    /// Properties that the hardware vouches for.
    let hardware: AndroidProperties

    /// Reads the content of the extension; throws `malformed` or `unknownVersion`.
    package init(_ octets: ArraySlice<UInt8>) throws(AndroidRefusal) {
        var fields = try AndroidFields(sequence: octets)
        let version = try fields.readInteger()
        guard Self.versions.contains(version) else { throw .unknownVersion }
        attestationLevel = try Self.level(try fields.readInteger(.enumerated))
        _ = try fields.readInteger()
        keyLevel = try Self.level(try fields.readInteger(.enumerated))
        challenge = try fields.readOctets()
        // The unique identifier, which only system applications get.
        _ = try fields.readOctets()
        software = try AndroidProperties(try fields.next())
        hardware = try AndroidProperties(try fields.next())
        try fields.finish()
    }

    private static func level(_ number: Int) throws(AndroidRefusal) -> AndroidSecurityLevel {
        guard let level = AndroidSecurityLevel(rawValue: number) else { throw .malformed }
        return level
    }
}

/// Fields of a sequence or set, one by one.
struct AndroidFields {
    private var nodes: ASN1NodeCollection.Iterator

    /// Reads a sequence that fills the octets.
    init(sequence octets: ArraySlice<UInt8>) throws(AndroidRefusal) {
        guard let node = try? DER.parse(octets) else { throw .malformed }
        try self.init(node, .sequence)
    }

    /// Takes the fields of a node of this kind.
    init(_ node: ASN1Node, _ identifier: ASN1Identifier) throws(AndroidRefusal) {
        guard node.identifier == identifier, case .constructed(let nodes) = node.content else { throw .malformed }
        self.nodes = nodes.makeIterator()
    }

    /// The next field, nil at the end.
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

    /// The elements of a set of integers.
    static func integers(_ node: ASN1Node) throws(AndroidRefusal) -> Set<Int> {
        var fields = try AndroidFields(node, .set)
        var values: Set<Int> = []
        while let element = fields.nextOrEnd() { values.insert(try integer(element)) }
        return values
    }
}
