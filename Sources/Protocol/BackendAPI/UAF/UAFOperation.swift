import Octets

/// The `op` member of a transport dictionary; a value we do not know survives reading and fits no service.
public struct UAFOperation: RawRepresentable, Hashable, Sendable {
    /// The spelling on the wire.
    public let rawValue: String

    /// Takes any spelling.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Registration.
    public static let registration = UAFOperation(rawValue: "Reg")
    /// Authentication and transaction confirmation.
    public static let authentication = UAFOperation(rawValue: "Auth")
    /// Deregistration.
    public static let deregistration = UAFOperation(rawValue: "Dereg")

    /// Whether both are spelled with the same bytes.
    public static func == (one: UAFOperation, other: UAFOperation) -> Bool {
        one.rawValue.hasSameOctets(as: other.rawValue)
    }

    /// Feeds the bytes of the spelling to the hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(Array(rawValue.utf8)) }
}
