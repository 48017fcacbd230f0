import Octets

/// A JWS in compact serialization (RFC 7515, 7.1), split and decoded but not verified.
///
/// The signing input is kept as it was received; nothing is encoded anew.
///
/// ```swift
/// let token = try CompactJWS(parsing: text).verified(by: key)
/// let payload = token.payload
/// ```
public struct CompactJWS: Sendable {
    /// The protected header.
    public let header: JOSEHeader
    /// The payload; not to be trusted before it comes out of a ``VerifiedJWS``.
    public let unverifiedPayload: [UInt8]
    /// The signature.
    public let signature: [UInt8]
    /// JWS signing input: the first two parts with the dot between them, as received.
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

/// The parts of a token in compact serialization, still encoded; the dots between them are gone.
struct CompactParts {
    let octets: [UInt8]
    private let parts: [ArraySlice<UInt8>]

    /// Splits a token; throws ``JOSEError/malformedToken`` when it is too long or has another number of parts.
    init(_ text: String, count: Int, maximumByteCount: Int) throws(JOSEError) {
        guard text.utf8.count <= maximumByteCount else { throw .malformedToken }
        octets = Array(text.utf8)
        parts = octets.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == count else { throw .malformedToken }
    }

    subscript(index: Int) -> ArraySlice<UInt8> { parts[index] }

    /// One part decoded; throws ``JOSEError/malformedToken``.
    func decoded(_ index: Int) throws(JOSEError) -> [UInt8] {
        do throws(Base64Error) {
            return try Base64URL.decode(String(decoding: parts[index], as: UTF8.self))
        } catch {
            throw .malformedToken
        }
    }
}
