/// The public keys of this installation for a server: points on P-256, uncompressed (X9.63, 65 bytes).
package struct DeviceServerKeys: Hashable, Sendable {
    /// The server.
    package let server: ServerAddress
    /// Verifies what the device signs.
    package let signing: [UInt8]
    /// Encrypts to the device.
    package let agreement: [UInt8]

    package init(server: ServerAddress, signing: [UInt8], agreement: [UInt8]) {
        self.server = server
        self.signing = signing
        self.agreement = agreement
    }
}
