import Octets

/// The parts of a token in compact serialization, still encoded; the dots between them are gone.
struct CompactParts {
    /// The whole token.
    let octets: [UInt8]
    private let parts: [ArraySlice<UInt8>]

    /// Splits a token; throws ``JOSEError/malformedToken`` when it is too long or has another number of parts.
    init(_ text: String, count: Int, maximumByteCount: Int) throws(JOSEError) {
        guard text.utf8.count <= maximumByteCount else { throw .malformedToken }
        octets = Array(text.utf8)
        parts = octets.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == count else { throw .malformedToken }
    }

    /// One part as it was received.
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
