/// A JWS in compact serialization (RFC 7515, 7.1), split and decoded but not verified.
///
/// What was signed is kept as it was received; nothing is encoded anew.
public struct CompactJWS: Sendable {
    /// The protected header.
    public let header: JOSEHeader
    /// The payload; not to be trusted before it comes out of a ``VerifiedJWS``.
    public let unverifiedPayload: [UInt8]
    /// The signature.
    public let signature: [UInt8]
    /// What the signature is over: the first two parts with the dot between them, as received.
    public let signingInput: [UInt8]

    /// The longest token that is read, in bytes.
    public static let maximumByteCount = 64 * 1024

    /// Splits and decodes a token.
    ///
    /// Throws ``JOSEError/malformedToken``, ``JOSEError/refusedHeader`` or ``JOSEError/unsupportedAlgorithm``. The
    /// JSON serialization (RFC 7515, 7.2) is not read.
    public init(parsing text: String) throws(JOSEError) {
        let parts = try CompactParts(text, count: 3, maximumByteCount: Self.maximumByteCount)
        header = try JOSEHeader(json: parts.decoded(0))
        unverifiedPayload = try parts.decoded(1)
        signature = try parts.decoded(2)
        signingInput = Array(parts.octets[..<parts[1].endIndex])
    }
}
