import Octets
import StrictJSON

/// Push service address of a device, or the refusal of its user.
public enum PushDestination: Hashable, Sendable {
    /// The registration token that the push service gave to the application.
    case token(String)
    /// The user switched push messages off.
    case disabledByUser

    /// Wire spelling of ``disabledByUser``.
    private static let disabled = "user-disabled"

    /// Reads the spelling on the wire; nil for a token that is empty, longer than 4,096 bytes or with a NUL.
    public init?(_ text: String) {
        guard (1...4_096).contains(text.utf8.count), !text.utf8.contains(0) else { return nil }
        self = text.hasSameOctets(as: Self.disabled) ? .disabledByUser : .token(text)
    }

    /// The spelling on the wire.
    public var text: String {
        switch self {
        case .token(let token): token
        case .disabledByUser: Self.disabled
        }
    }

    /// Whether both are spelled with the same bytes.
    public static func == (one: PushDestination, other: PushDestination) -> Bool {
        one.text.hasSameOctets(as: other.text)
    }

    /// Feeds the bytes of the spelling to the hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(Array(text.utf8)) }
}

extension PushDestination: CustomStringConvertible, CustomReflectable {
    /// Which of the two it is, without the token.
    public var description: String {
        switch self {
        case .token: "token"
        case .disabledByUser: "disabledByUser"
        }
    }

    /// Empty, so that reflection shows no secret.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension PushDestination: StrictlyCoded {
    init(json: JSONValue) throws(JSONTypeError) {
        guard let destination = PushDestination(try json.asString()) else { throw JSONTypeError(.outOfRange) }
        self = destination
    }

    var json: JSONValue { .string(text) }
}
