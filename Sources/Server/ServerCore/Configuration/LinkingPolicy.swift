package import BackendAPI

/// How a phone is linked to the screen that asked (assurance SRV-8).
package struct LinkingPolicy: Sendable, Hashable {
    /// The way for dispatchers that push, when a dispatch does not choose.
    package var push = ChannelLinkingMode.typed
    /// The way for links and QR codes, when a dispatch does not choose: whoever scans one sees the screen already.
    package var scan = ChannelLinkingMode.none
    /// The weakest way that a dispatch may choose.
    package var weakest = ChannelLinkingMode.none
    /// The number of digits.
    package var digitCount = 2

    /// The defaults.
    package init() {}

    /// Whether a dispatch may choose this way.
    package func allows(_ mode: ChannelLinkingMode) -> Bool { Self.strength(mode) >= Self.strength(weakest) }

    private static func strength(_ mode: ChannelLinkingMode) -> Int {
        switch mode {
        case .none: 0
        case .compare: 1
        case .typed: 2
        }
    }
}
