import Octets
import ServerCore
package import StrictJSON

/// Version of an object, by what an answer shows of it: the entity tag of the answer (RFC 9110, 8.8.3).
///
/// Two administrators who have read the same version cannot both change it: the second one gets the present version instead.
package struct ObjectVersion: Sendable, Hashable {
    private static let octetCount = 16

    /// 22 characters of base64url.
    package let text: String

    package init(of json: JSONValue) {
        text = Base64URL.encode(
            SHA256Value<ObjectVersion>(of: JSONWriter.write(json)).octets.prefix(Self.octetCount))
    }

    /// Reads one entity tag; nil for a list, a weak tag and `*`.
    package init?(entityTag: String) {
        let octets = Array(entityTag.utf8)
        guard octets.count >= 2, octets.first == UInt8(ascii: "\""), octets.last == UInt8(ascii: "\""),
            let decoded = try? Base64URL.decode(String(decoding: octets.dropFirst().dropLast(), as: UTF8.self)),
            decoded.count == Self.octetCount
        else { return nil }
        text = Base64URL.encode(decoded)
    }

    package var entityTag: String { "\"\(text)\"" }
}
