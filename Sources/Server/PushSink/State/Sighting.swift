import Octets
import ServerCore
import StrictJSON

/// View of one message as an operator of the push service has it, with what they cannot see.
struct Sighting: Hashable, Sendable {
    let name: String
    let time: Timestamp
    let message: SinkMessage

    /// The sealed value of `nma_data`; nil when the content is readable.
    private var sealed: [Substring]? {
        guard let data = message.data.first(where: { $0.name == "nma_data" }) else { return nil }
        let parts = data.value.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 5 ? parts : nil
    }

    /// Whether nothing but sizes and the header of the encryption can be seen of the payload.
    var isOpaque: Bool { sealed != nil }

    /// The visible part, as a JSON object.
    var json: JSONObject {
        [
            "name": .string(name), "time": .string(time.iso8601), "target": .string(message.registrationToken.reveal()),
            "title": message.title.map(JSONValue.string), "body": message.body.map(JSONValue.string),
            "contentType": message.data.first { $0.name == "nma_data_content_type" }.map { .string($0.value) },
            "data": .array(message.data.map { .string($0.name) }), "byteCount": .integer(message.byteCount),
            "opaque": .bool(isOpaque), "encryptionHeader": sealed.flatMap { Self.header($0[0]) },
            "sealedByteCount": sealed.map { .integer($0[3].utf8.count * 3 / 4) },
            "timeToLive": .integer(message.timeToLive.components.seconds),
        ]
    }

    /// The protected header of a JWE is encoded, not encrypted.
    private static func header(_ part: Substring) -> JSONValue? {
        guard let octets = try? Base64URL.decode(String(part)) else { return nil }
        return try? JSONParser.parse(octets, limits: JSONLimits(byteCount: 8_192, depth: 4))
    }
}
