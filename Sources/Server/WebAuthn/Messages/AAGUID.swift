import Octets

/// Identifier of a model of authenticators, 16 bytes; all zero where the client keeps it to itself.
package struct AAGUID: Hashable, Sendable, CustomStringConvertible {
    static let byteCount = 16

    package let octets: [UInt8]

    /// Takes exactly 16 bytes; nil for another number.
    package init?(octets: some Collection<UInt8>) {
        guard octets.count == Self.byteCount else { return nil }
        self.octets = Array(octets)
    }

    /// Reads the form of metadata in lower case; nil for any other text.
    package init?(_ text: String) {
        guard let octets = try? Hex.decode(text.filter { $0 != "-" }), let id = AAGUID(octets: octets),
            id.description.hasSameOctets(as: text)
        else { return nil }
        self = id
    }

    /// The identifier in the form of metadata: 8-4-4-4-12 hexadecimal digits.
    package var description: String {
        let digits = Array(Hex.encode(octets))
        return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }.joined(separator: "-")
    }
}
