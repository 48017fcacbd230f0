/// Identifier of one boot of the operating system; 16 bytes that no other boot has.
package struct BootID: Hashable, Sendable {
    /// Number of bytes.
    package static let byteCount = 16

    /// The bytes.
    package let octets: [UInt8]

    /// Takes ``byteCount`` bytes; nil for another number.
    package init?(_ octets: some Collection<UInt8>) {
        guard octets.count == Self.byteCount else { return nil }
        self.octets = Array(octets)
    }
}
