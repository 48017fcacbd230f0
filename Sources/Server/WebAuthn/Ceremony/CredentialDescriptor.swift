import Octets
import StrictJSON

/// Name of a credential and the ways to its authenticator (section 5.8.3).
package struct CredentialDescriptor: Hashable, Sendable {
    static let type = "public-key"

    /// Identifier, 1 to 1023 bytes.
    package let id: [UInt8]
    /// Ways to the authenticator as the client named them, for example `internal` or `hybrid`; unknown ones are kept.
    package let transports: [String]

    package init(id: [UInt8], transports: [String] = []) {
        self.id = id
        self.transports = transports
    }

    var json: JSONObject {
        [
            "type": .string(Self.type), "id": .string(Base64URL.encode(id)),
            "transports": transports.isEmpty ? nil : .array(transports.map(JSONValue.string)),
        ]
    }
}
