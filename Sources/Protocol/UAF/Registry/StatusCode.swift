/// UAF status code of a server.
///
/// FIDO UAF Application API and Transport Binding 1.1, 3.1. The project's assignment of codes to checks stands with the
/// checks.
///
/// ```swift
/// switch status {
/// case .ok: finish()
/// case .unknownKeyID: markKeyUnusable()
/// default: refuse(status.rawValue)
/// }
/// ```
public struct StatusCode: RawRepresentable, Hashable, Sendable {
    /// The number on the wire; unknown ones are kept.
    public let rawValue: UInt32

    /// Accepts numbers that this version does not know.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Processed.
    public static let ok = StatusCode(rawValue: 1200)
    /// Not finished yet; carries no tokens.
    public static let accepted = StatusCode(rawValue: 1202)
    /// The body is not the expected transport dictionary.
    public static let badRequest = StatusCode(rawValue: 1400)
    /// The user must be authenticated first, or the key belongs to another user.
    public static let unauthorized = StatusCode(rawValue: 1401)
    /// Not allowed; do not retry.
    public static let forbidden = StatusCode(rawValue: 1403)
    /// User or resource unknown.
    public static let notFound = StatusCode(rawValue: 1404)
    /// The session at transport level is gone.
    public static let requestTimeout = StatusCode(rawValue: 1408)
    /// No metadata for the AAID.
    public static let unknownAAID = StatusCode(rawValue: 1480)
    /// No such registration; the client should delete its key.
    public static let unknownKeyID = StatusCode(rawValue: 1481)
    /// Channel binding missing or different.
    public static let channelBindingRefused = StatusCode(rawValue: 1490)
    /// Challenge unknown, expired or used already.
    public static let requestInvalid = StatusCode(rawValue: 1491)
    /// The policy is not met.
    public static let unacceptableAuthenticator = StatusCode(rawValue: 1492)
    /// Model revoked or credential disabled.
    public static let revokedAuthenticator = StatusCode(rawValue: 1493)
    /// Key malformed, weak or not of the declared format.
    public static let unacceptableKey = StatusCode(rawValue: 1494)
    /// Algorithm not supported or not allowed.
    public static let unacceptableAlgorithm = StatusCode(rawValue: 1495)
    /// Attestation signature, chain or type.
    public static let unacceptableAttestation = StatusCode(rawValue: 1496)
    /// The client cannot do what is needed.
    public static let unacceptableClientCapabilities = StatusCode(rawValue: 1497)
    /// Anything wrong in the message itself.
    public static let unacceptableContent = StatusCode(rawValue: 1498)
    /// The server failed.
    public static let internalServerError = StatusCode(rawValue: 1500)
}
