/// TLS version and server certificate of the connection that an exchange ran over.
package struct ConnectionFacts: Hashable, Sendable {
    /// A version of TLS; nothing older is ever used.
    package enum Version: Hashable, Sendable {
        case tls12
        case tls13
    }

    /// The negotiated version; nil where it could not be told.
    package let version: Version?
    /// The certificate the server presented (DER).
    package let certificate: [UInt8]
    /// SHA-256 of its SubjectPublicKeyInfo: what a pin is compared with.
    package let publicKeyPin: PublicKeyPin

    /// Creates the facts of one connection.
    package init(version: Version?, certificate: [UInt8], publicKeyPin: PublicKeyPin) {
        self.version = version
        self.certificate = certificate
        self.publicKeyPin = publicKeyPin
    }
}
