/// Evaluation of a server's certificates by the Security framework, and its consequence for a connection.
///
/// Pure code: the part of the transport for Apple platforms that judges, without the framework it judges for.
struct PlatformVerdict: Hashable, Sendable {
    /// Whether the chain, the name and the dates were found right.
    let isTrusted: Bool
    /// The reason of a refusal: the code of a `CFError` whose domain is that of `OSStatus`; nil where none was given.
    let status: Int?
    /// The evaluated path, the server's certificate first (DER).
    let chain: [[UInt8]]

    /// `errSecHostNameMismatch`.
    private static let hostNameMismatch = -67_602

    /// Reason to refuse the connection; nil when it may be used.
    func failure(pins: Set<PublicKeyPin>) -> TLSFailure? {
        guard isTrusted else { return status == Self.hostNameMismatch ? .wrongHost : .untrustedCertificate }
        return PublicKeyPinning(pins: pins).holds(validated: chain) ? nil : .pinMismatch
    }
}
