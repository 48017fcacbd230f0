/// Protection of an authenticator's private keys.
///
/// FIDO Registry of Predefined Values 1.1, 3.2.
public struct KeyProtection: OptionSet, Hashable, Sendable {
    /// The flags as the protocol writes them; unknown ones are kept.
    public let rawValue: UInt16

    /// Creates flags from the number of the protocol.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// By software of the operating system.
    public static let software = KeyProtection(rawValue: 0x01)
    /// By hardware of any kind.
    public static let hardware = KeyProtection(rawValue: 0x02)
    /// By a trusted execution environment.
    public static let trustedExecution = KeyProtection(rawValue: 0x04)
    /// By a secure element.
    public static let secureElement = KeyProtection(rawValue: 0x08)
    /// The wrapped key lies with the server.
    public static let remoteHandle = KeyProtection(rawValue: 0x10)
}
