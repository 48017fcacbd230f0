package import StrictJSON

/// A UAF message as exchanged between application and client.
///
/// FIDO UAF Application API and Transport Binding 1.1, 2.4.1.
public struct UAFMessage: Hashable, Sendable {
    /// The UAF message as JSON text.
    public let protocolMessage: String
    /// Anything the parties agreed on beyond the protocol.
    package let additionalData: JSONObject?

    /// Wraps a UAF message.
    public init(protocolMessage: String) {
        self.init(protocolMessage: protocolMessage, additionalData: nil)
    }

    package init(protocolMessage: String, additionalData: JSONObject?) {
        self.protocolMessage = protocolMessage
        self.additionalData = additionalData
    }

    /// Whether both messages are the same, byte by byte.
    public static func == (left: UAFMessage, right: UAFMessage) -> Bool {
        ExactString(left.protocolMessage) == ExactString(right.protocolMessage)
            && left.additionalData == right.additionalData
    }

    /// Hashes the bytes that `==` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ExactString(protocolMessage))
        hasher.combine(additionalData)
    }
}

extension UAFMessage: JSONCoded {
    package init(json: JSONValue, rules: DecodingRules) throws(JSONTypeError) {
        let members = try json.asObject()
        self.init(
            protocolMessage: try members.requiredText("uafProtocolMessage"),
            additionalData: try members.optional("additionalData") { value throws(JSONTypeError) in
                try value.asObject()
            })
    }

    package var json: JSONValue {
        .object(
            JSONObject([
                "uafProtocolMessage": .string(protocolMessage), "additionalData": additionalData.map { .object($0) },
            ]))
    }
}
