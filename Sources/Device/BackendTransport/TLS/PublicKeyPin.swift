/// SHA-256 of a SubjectPublicKeyInfo (RFC 7469, section 2.4).
package struct PublicKeyPin: Hashable, Sendable {
    package static let byteCount = 32

    package let octets: [UInt8]

    package init?(_ octets: some Collection<UInt8>) {
        guard octets.count == Self.byteCount else { return nil }
        self.octets = Array(octets)
    }
}
