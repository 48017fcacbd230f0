public import Foundation

/// What links this device to the screen where the operation was begun.
public protocol ChannelLinkingContext: Encodable, Sendable {
    /// Who authenticates.
    var username: Username { get }
    /// Whether digits are typed or compared.
    var mode: ChannelLinkingMode { get }
    /// How many digits there are, 2 to 8.
    var digitCount: Int { get }
    /// The digits to show for comparison; nil where the user types them, because this device does not know them.
    var digits: String? { get }
    /// The text of a transaction, UTF-8.
    var transactionConfirmationData: Data? { get }
    /// Why the user is asked again; nil the first time.
    var lastRecoverableError: ChannelLinkingError? { get }
}
