/// Reasons to refuse a TLS connection.
@nonexhaustive
package enum TLSFailure: Hashable, Sendable {
    /// The certificate is expired, not yet valid, or its issuer is not trusted by this device.
    case untrustedCertificate
    case wrongHost
    case pinMismatch
    /// No common version or cipher suite, or the handshake broke off.
    case handshake
}

extension TLSFailure: CustomStringConvertible {
    package var description: String {
        switch self {
        case .untrustedCertificate: "untrustedCertificate"
        case .wrongHost: "wrongHost"
        case .pinMismatch: "pinMismatch"
        case .handshake: "handshake"
        }
    }
}
