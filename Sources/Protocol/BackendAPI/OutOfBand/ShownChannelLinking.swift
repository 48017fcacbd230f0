import Octets
import StrictJSON

/// Channel linking shown by the initiator of a ceremony.
public struct ShownChannelLinking: Hashable, Sendable {
    /// Use of the digits.
    public let mode: ChannelLinkingMethod
    /// The digits to show, for example `42`.
    public var digits: String { sensitiveDigits.reveal() }
    private let sensitiveDigits: Sensitive<String>

    /// Digits to show for a way of linking.
    public init(mode: ChannelLinkingMethod, digits: String) {
        self.mode = mode
        sensitiveDigits = Sensitive(digits)
    }
}

extension ShownChannelLinking: StrictlyCoded {
    init(json: JSONValue) throws(JSONTypeError) {
        let members = try json.asObject()
        self.init(
            mode: try members.required("mode", ChannelLinkingMethod.init(json:)),
            digits: try members.required("digits") { value throws(JSONTypeError) in try value.asLinkingDigits() })
    }

    var json: JSONValue { .object(["mode": mode.json, "digits": .string(digits)]) }
}
