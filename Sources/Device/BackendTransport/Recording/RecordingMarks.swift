import Crypto
import Octets

/// The marks that stand in a recording for values that are not written: kind, number of bytes, keyed hash.
///
/// `<jws 412 #9f2c11ab>` is a compact JWS of 412 bytes. Equal values of one recording have equal marks; the key is made for
/// the recording and kept nowhere, so that nobody can compare a mark with guesses.
struct RecordingMarks: Sendable {
    private static let hashByteCount = 4

    private let key = SymmetricKey(size: .bits256)

    func mark(_ text: some StringProtocol) -> String { mark(Array(text.utf8)) }

    func mark(_ octets: [UInt8]) -> String {
        let hash = HMAC<SHA256>.authenticationCode(for: octets, using: key)
        return "<\(Self.kind(of: octets)) \(octets.count) #\(Hex.encode(hash.prefix(Self.hashByteCount)))>"
    }

    private static func kind(of octets: [UInt8]) -> String {
        guard let text = String(validating: octets, as: UTF8.self) else { return "binary" }
        if !octets.isEmpty, octets.allSatisfy(TokenShape.isDigit) { return "digits" }
        return TokenShape.joseForm(of: text) ?? "text"
    }
}
