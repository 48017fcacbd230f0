import Octets
import StrictJSON

/// The identifier that an installation gives its device; all dispatch targets of a device share it.
public struct DeviceID: Hashable, Sendable, CustomStringConvertible {
    /// The identifier as it was given.
    public let text: String

    /// Takes 1 to 256 Unicode scalar values without control characters; nil for anything else.
    public init?(_ text: String) {
        guard (1...256).contains(text.unicodeScalars.count),
            text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
        else { return nil }
        self.text = text
    }

    /// Same as ``text``.
    public var description: String { text }

    /// Whether both are spelled with the same bytes.
    public static func == (one: DeviceID, other: DeviceID) -> Bool { one.text.hasSameOctets(as: other.text) }

    /// Feeds the bytes of the identifier to the hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(Array(text.utf8)) }
}

extension DeviceID: StrictlyCoded {
    init(json: JSONValue) throws(JSONTypeError) {
        guard let id = DeviceID(try json.asString()) else { throw JSONTypeError(.outOfRange) }
        self = id
    }

    var json: JSONValue { .string(text) }
}
