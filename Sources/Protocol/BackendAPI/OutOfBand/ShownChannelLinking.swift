import StrictJSON

/// What the initiator of an operation shows (decisions, 7).
public struct ShownChannelLinking: Hashable, Sendable {
    /// How the digits are used.
    public let mode: ChannelLinkingMode
    /// The digits to show, for example `42`.
    public let digits: String

    /// Digits to show for a way of linking.
    public init(mode: ChannelLinkingMode, digits: String) {
        self.mode = mode
        self.digits = digits
    }
}

extension ShownChannelLinking: StrictlyCoded {
    init(json: JSONValue) throws(JSONTypeError) {
        let members = try json.asObject()
        self.init(
            mode: try members.required("mode", ChannelLinkingMode.init(json:)),
            digits: try members.required("digits") { value throws(JSONTypeError) in try value.asLinkingDigits() })
    }

    var json: JSONValue { .object(["mode": mode.json, "digits": .string(digits)]) }
}
