/// What the payload tells the phone about linking; in ``ChannelLinkingMode/typed`` never the digits themselves.
public struct ChannelLinkingDemand: Hashable, Sendable {
    /// How the digits are used.
    public let mode: ChannelLinkingMode
    /// How many digits there are, 2 to 8.
    public let length: Int
    /// The digits, only where the person compares them.
    public let digits: String?

    /// Allowed numbers of digits.
    public static let lengths = 2...8

    private init(mode: ChannelLinkingMode, length: Int, digits: String?) {
        self.mode = mode
        self.length = length
        self.digits = digits
    }

    /// The person is to type `length` digits.
    public static func typed(length: Int) -> ChannelLinkingDemand { .init(mode: .typed, length: length, digits: nil) }

    /// The person is to compare `digits`.
    public static func compare(_ digits: String) -> ChannelLinkingDemand {
        .init(mode: .compare, length: digits.utf8.count, digits: digits)
    }
}
