/// What the initiator of an operation shows (decisions, 7).
public struct ShownChannelLinking: Hashable, Sendable {
    /// How the digits are used.
    public let mode: ChannelLinkingMode
    /// The digits to show, for example `42`.
    public let digits: String

    /// Digits to show for a way of linking.
    public init(mode: ChannelLinkingMode, digits: String) {
        self.mode = mode
        self.digits = digits
    }
}
