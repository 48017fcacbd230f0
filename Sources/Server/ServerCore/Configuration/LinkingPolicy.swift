package import BackendAPI
import Octets

/// Policy of channel linking, which ties a phone to the screen that asked (docs/security/threat-model.md, A-9).
package struct LinkingPolicy: Sendable, Hashable {
    /// The way for dispatchers that push, when a dispatch does not choose.
    package var push = ChannelLinkingMethod.typed
    /// The way for links and QR codes, when a dispatch does not choose: a user who scans one sees the screen already.
    package var scan = ChannelLinkingMethod.none
    /// The weakest way that a dispatch may choose.
    package var weakest = ChannelLinkingMethod.none
    /// The weakest way that a push may have, where it is stronger than ``weakest``: a scanned code carries its own secret.
    package var weakestPush = ChannelLinkingMethod.none
    package var digitCount = 2

    package init() {}

    package func allows(_ mode: ChannelLinkingMethod, forPush isPush: Bool) -> Bool {
        let least = isPush ? max(Self.strength(weakest), Self.strength(weakestPush)) : Self.strength(weakest)
        return Self.strength(mode) >= least
    }

    private static func strength(_ mode: ChannelLinkingMethod) -> Int {
        switch mode {
        case .none: 0
        case .compare: 1
        case .typed: 2
        }
    }
}
