/// How the person shows that the phone answers the screen in front of them (assurance SRV-8, A-7 and A-8).
public enum ChannelLinkingMode: String, Hashable, Sendable, CaseIterable {
    /// The person types the digits that the initiating screen shows into the phone.
    case typed
    /// Both screens show the same digits, and the person compares them.
    case compare
    /// Nothing links the two.
    case none
}
