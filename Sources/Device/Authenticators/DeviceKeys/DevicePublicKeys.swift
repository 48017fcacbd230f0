/// The public halves of the two keys of this installation for one server: points on P-256, uncompressed (X9.63, 65
/// bytes).
package struct DevicePublicKeys: Hashable, Sendable {
    package static let byteCount = 65

    package let signing: [UInt8]
    package let agreement: [UInt8]

    /// Takes two points; nil unless both have ``byteCount`` bytes.
    package init?(signing: [UInt8], agreement: [UInt8]) {
        guard signing.count == Self.byteCount, agreement.count == Self.byteCount else { return nil }
        self.signing = signing
        self.agreement = agreement
    }
}
