/// What kind of display an authenticator has for transactions; empty when it has none.
///
/// FIDO Registry of Predefined Values 1.1, 3.5.
public struct TransactionConfirmationDisplay: OptionSet, Hashable, Sendable {
    /// The flags as the protocol writes them; unknown ones are kept.
    public let rawValue: UInt16

    /// Takes flags as they are.
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// A display of some kind.
    public static let any = TransactionConfirmationDisplay(rawValue: 0x01)
    /// Drawn by software with more rights than an ordinary application, or by the application itself.
    public static let privilegedSoftware = TransactionConfirmationDisplay(rawValue: 0x02)
    /// Drawn by a trusted execution environment.
    public static let trustedExecution = TransactionConfirmationDisplay(rawValue: 0x04)
    /// Drawn by hardware of its own.
    public static let hardware = TransactionConfirmationDisplay(rawValue: 0x08)
    /// On another device.
    public static let remote = TransactionConfirmationDisplay(rawValue: 0x10)
}
