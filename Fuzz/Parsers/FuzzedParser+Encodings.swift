import Octets
import StrictJSON

extension FuzzedParser {
    /// Parsers of text encodings of bytes, and of JSON.
    static let encodings: [FuzzedParser] = [
        exact("base64url", read: { try Base64URL.decode(try text($0)) }, write: { Array(Base64URL.encode($0).utf8) }),
        exact("hex", read: { try Hex.decode(try lowercase($0)) }, write: { Array(Hex.encode($0).utf8) }),
        roundTrip("json", read: { try JSONParser.parse($0) }, write: { JSONWriter.write($0) }),
    ]

    private struct NotText: Error {}

    /// The bytes as UTF-8 text, byte for byte; throws when they are not UTF-8.
    static func text(_ bytes: [UInt8]) throws -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw NotText() }
        return text
    }

    private static func lowercase(_ bytes: [UInt8]) throws -> String {
        guard !bytes.contains(where: { (0x41...0x5A).contains($0) }) else { throw NotText() }
        return try text(bytes)
    }
}
