/// Protection of the matcher, the part that recognises the user.
///
/// FIDO Registry of Predefined Values 1.1, 3.3. The weakest matcher counts.
public struct MatcherProtection: OptionSet, Hashable, Sendable {
    /// The flags as the protocol writes them; unknown ones are kept.
    public let rawValue: UInt16

    /// Creates flags from the number of the protocol.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// By software of the operating system.
    public static let software = MatcherProtection(rawValue: 0x01)
    /// By a trusted execution environment.
    public static let trustedExecution = MatcherProtection(rawValue: 0x02)
    /// By the chip of the sensor itself.
    public static let onChip = MatcherProtection(rawValue: 0x04)
}
