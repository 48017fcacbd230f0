package import StrictJSON

/// A version of the UAF protocol or of the ASM interface.
///
/// FIDO UAF Protocol 1.1, 3.1.1; ordered by major, then minor.
public struct ProtocolVersion: Hashable, Comparable, Sendable {
    /// UAF 1.1, the version this package speaks.
    public static let version11 = ProtocolVersion(major: 1, minor: 1)

    /// First number.
    public let major: UInt16
    /// Second number.
    public let minor: UInt16

    /// Creates a version.
    public init(major: UInt16, minor: UInt16) {
        self.major = major
        self.minor = minor
    }

    /// Whether the left version is older.
    public static func < (left: ProtocolVersion, right: ProtocolVersion) -> Bool {
        (left.major, left.minor) < (right.major, right.minor)
    }
}

extension ProtocolVersion: JSONCoded {
    package init(json: consuming JSONValue, rules: DecodingRules) throws(JSONTypeError) {
        let members = try json.asObject()
        self.init(
            major: try members.requiredInteger("major"), minor: try members.requiredInteger("minor"))
    }

    package var json: JSONValue { .object(["major": .integer(major), "minor": .integer(minor)]) }
}
