/// How the user shows that this device answers the screen in front of him.
@nonexhaustive
public enum ChannelLinkingMode: String, Hashable, Codable, Sendable {
    /// The user types the digits that the other screen shows into this device.
    case typed
    /// Both screens show the same digits, and the user compares them.
    case compare
}
