import Octets
import StrictJSON

/// Method of linking the phone to the initiating screen, so that users answer the request in front of them and no
/// other.
public enum ChannelLinkingMethod: String, Hashable, Sendable, CaseIterable {
    /// The user types the digits that the initiating screen shows into the phone.
    case typed
    /// Both screens show the same digits, and the user compares them.
    case compare
    /// Nothing links the two.
    case none
}

extension ChannelLinkingMethod: StrictlyCoded {
    init(json: JSONValue) throws(JSONTypeError) {
        guard let mode = ChannelLinkingMethod(rawValue: try json.asString()) else { throw JSONTypeError(.outOfRange) }
        self = mode
    }

    var json: JSONValue { .string(rawValue) }
}

/// Channel linking demanded by a payload; in ``ChannelLinkingMethod/typed`` never the digits themselves.
public struct ChannelLinkingDemand: Hashable, Sendable {
    /// Use of the digits.
    public let mode: ChannelLinkingMethod
    /// Number of digits, 2 to 8.
    public let length: Int
    /// The digits, only where the user compares them.
    public var digits: String? { sensitiveDigits?.reveal() }
    private let sensitiveDigits: Sensitive<String>?

    /// Allowed numbers of digits.
    public static let lengths = 2...8

    private init(mode: ChannelLinkingMethod, length: Int, digits: String?) {
        self.mode = mode
        self.length = length
        sensitiveDigits = digits.map(Sensitive.init)
    }

    /// Demand that the user type `length` digits.
    public static func typed(length: Int) -> ChannelLinkingDemand { .init(mode: .typed, length: length, digits: nil) }

    /// Demand that the user compare `digits`.
    public static func compare(_ digits: String) -> ChannelLinkingDemand {
        .init(mode: .compare, length: digits.utf8.count, digits: digits)
    }
}

extension ChannelLinkingDemand: StrictlyCoded {
    init(json: JSONValue) throws(JSONTypeError) {
        let members = try json.asObject()
        switch try members.required("mode", ChannelLinkingMethod.init(json:)) {
        case .typed:
            let length: Int = try members.integer("length")
            guard Self.lengths.contains(length) else { throw JSONTypeError(path: ["length"], .outOfRange) }
            self = .typed(length: length)
        case .compare:
            self = .compare(
                try members.required("digits") { value throws(JSONTypeError) in try value.asLinkingDigits() })
        case .none: throw JSONTypeError(path: ["mode"], .outOfRange)
        }
    }

    var json: JSONValue {
        .object(["mode": mode.json, "length": .integer(length), "digits": digits.map(JSONValue.string)])
    }
}

extension JSONValue {
    func asLinkingDigits() throws(JSONTypeError) -> String {
        let text = try asString()
        guard ChannelLinkingDemand.lengths.contains(text.utf8.count),
            text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { throw JSONTypeError(.invalidForm) }
        return text
    }
}
