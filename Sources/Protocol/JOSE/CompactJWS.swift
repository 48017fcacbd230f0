import Octets

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
        let octets = Array(text.utf8)
        guard octets.count <= Self.maximumByteCount else { throw .malformedToken }
        let parts = octets.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3 else { throw .malformedToken }
        header = try JOSEHeader(json: Self.decode(parts[0]))
        unverifiedPayload = try Self.decode(parts[1])
        signature = try Self.decode(parts[2])
        signingInput = Array(octets[..<parts[1].endIndex])
    }

    private static func decode(_ part: ArraySlice<UInt8>) throws(JOSEError) -> [UInt8] {
        do throws(Base64Error) {
            return try Base64URL.decode(String(decoding: part, as: UTF8.self))
        } catch {
            throw .malformedToken
        }
    }
}
