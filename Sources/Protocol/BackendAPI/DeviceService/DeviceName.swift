import Octets
import StrictJSON

/// The name of a device that a person reads, unique among the devices of a user (`backend-http-api` 2.3.1).
public struct DeviceName: Hashable, Sendable, CustomStringConvertible {
    /// The name as it was given.
    public let text: String

    /// Takes 1 to 128 Unicode scalar values without control characters; nil for anything else.
    public init?(_ text: String) {
        guard (1...128).contains(text.unicodeScalars.count),
            text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
        else { return nil }
        self.text = text
    }

    /// Same as ``text``.
    public var description: String { text }

    /// Whether both are spelled with the same bytes.
    public static func == (one: DeviceName, other: DeviceName) -> Bool { one.text.hasSameOctets(as: other.text) }

    /// Feeds the bytes of the name to the hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(Array(text.utf8)) }
}

extension DeviceName: StrictlyCoded {
    init(json: JSONValue) throws(JSONTypeError) {
        guard let name = DeviceName(try json.asString()) else { throw JSONTypeError(.outOfRange) }
        self = name
    }

    var json: JSONValue { .string(text) }
}
