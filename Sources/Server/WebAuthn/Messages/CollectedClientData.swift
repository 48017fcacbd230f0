import Octets
import StrictJSON

/// Client data: what the browser says about a ceremony (section 5.8.1).
///
/// Two readers have to agree about it. The first is strict JSON. The second is the limited verification algorithm of the
/// standard (section 5.8.1.2): the text begins with exactly the bytes that the serialization of the members gives, so
/// that no member behind them can be taken for one of these. `crossOrigin` may be absent, as clients of Level 1 leave it
/// out.
package struct CollectedClientData: Hashable, Sendable {
    private static let limits = JSONLimits(byteCount: 16 * 1024, depth: 4, elementCount: 64)

    /// `webauthn.create` or `webauthn.get`.
    package let type: String
    /// The challenge in base64url, as it came.
    package let challenge: String
    package let origin: String
    /// Whether the page stood in a frame of another origin; nil when the client does not say.
    package let isCrossOrigin: Bool?
    /// Origin of the page around it.
    package let topOrigin: String?

    /// Reads client data; throws ``PasskeyRefusal/clientDataText`` for what is not UTF-8, and
    /// ``PasskeyRefusal/clientData``.
    package init(_ octets: [UInt8]) throws(PasskeyRefusal) {
        guard String(validUTF8: octets) != nil else { throw .clientDataText }
        guard let members = try? JSONParser.parse(octets, limits: Self.limits).asObject() else { throw .clientData }
        do throws(JSONTypeError) {
            type = try members.string("type")
            challenge = try members.string("challenge")
            origin = try members.string("origin")
            isCrossOrigin = try members.optional("crossOrigin") { value throws(JSONTypeError) in try value.asBool() }
            topOrigin = try members.optionalString("topOrigin")
        } catch {
            throw .clientData
        }
        guard isSerialized(as: octets) else { throw .clientData }
    }

    private func isSerialized(as octets: [UInt8]) -> Bool {
        var expected = #"{"type":"# + Self.text(type) + #","challenge":"# + Self.text(challenge)
        expected += #","origin":"# + Self.text(origin)
        if let isCrossOrigin { expected += #","crossOrigin":"# + (isCrossOrigin ? "true" : "false") }
        if let topOrigin {
            guard isCrossOrigin == true else { return false }
            expected += #","topOrigin":"# + Self.text(topOrigin)
        }
        let end = octets.dropFirst(expected.utf8.count).first
        return octets.starts(with: expected.utf8) && (end == UInt8(ascii: "}") || end == UInt8(ascii: ","))
    }

    /// CCDToString of the standard: every control character as a `u` escape of four digits.
    private static func text(_ text: String) -> String {
        var encoded = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": encoded += "\\\""
            case "\\": encoded += "\\\\"
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                encoded += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: encoded.unicodeScalars.append(scalar)
            }
        }
        return encoded + "\""
    }
}
