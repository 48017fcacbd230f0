/// SHA-256 of a SubjectPublicKeyInfo (RFC 7469, section 2.4).
package struct PublicKeyPin: Hashable, Sendable {
    /// Number of bytes.
    package static let byteCount = 32

    /// The hash.
    package let octets: [UInt8]

    /// Takes a hash of ``byteCount`` bytes; nil for another number.
    package init?(_ octets: some Collection<UInt8>) {
        guard octets.count == Self.byteCount else { return nil }
        self.octets = Array(octets)
    }
}
