/// Identifier of one boot of the operating system; 16 bytes that no other boot has.
package struct BootID: Hashable, Sendable {
    package static let byteCount = 16

    package let octets: [UInt8]

    package init?(_ octets: some Collection<UInt8>) {
        guard octets.count == Self.byteCount else { return nil }
        self.octets = Array(octets)
    }
}
