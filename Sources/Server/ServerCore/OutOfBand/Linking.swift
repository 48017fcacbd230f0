package import BackendAPI
import Octets

/// Fresh digits that link a phone to a screen, for one ceremony.
struct LinkingDigits {
    let mode: ChannelLinkingMethod
    /// The digits, each as likely as every other.
    let text: Sensitive<String>
    private let salt: [UInt8]

    /// Draws digits; nil when nothing links the two.
    init?(_ mode: ChannelLinkingMethod, count: Int, from random: any RandomSource) {
        guard mode != .none else { return nil }
        var text = ""
        while text.utf8.count < count {
            // 250 is the greatest multiple of ten that a byte holds; what is above would favour the small digits.
            for byte in random.bytes(count: count) where byte < 250 && text.utf8.count < count {
                text += String(byte % 10)
            }
        }
        self.mode = mode
        self.text = Sensitive(text)
        salt = random.bytes(count: 16)
    }

    /// Salted hash that the server stores.
    var link: ChannelLink { ChannelLink(mode: mode, digits: text.reveal(), salt: salt) }

    /// Digits for the initiating screen.
    var shown: ShownChannelLinking { ShownChannelLinking(mode: mode, digits: text.reveal()) }

    /// Demand on the phone: how many digits the user types there, never which; where the user compares, the digits.
    var demand: ChannelLinkingDemand {
        mode == .compare ? .compare(text.reveal()) : .typed(length: text.reveal().utf8.count)
    }
}

/// Policy of channel linking, which ties a phone to the screen that asked (docs/security/threat-model.md, A-9).
package struct LinkingPolicy: Sendable, Hashable {
    /// The way for dispatchers that push, when a dispatch does not choose.
    package var push = ChannelLinkingMethod.typed
    /// The way for links and QR codes, when a dispatch does not choose: whoever scans one sees the screen already.
    package var scan = ChannelLinkingMethod.none
    /// The weakest way that a dispatch may choose.
    package var weakest = ChannelLinkingMethod.none
    /// The number of digits.
    package var digitCount = 2

    /// The defaults.
    package init() {}

    /// Whether a dispatch may choose this way.
    package func allows(_ mode: ChannelLinkingMethod) -> Bool { Self.strength(mode) >= Self.strength(weakest) }

    private static func strength(_ mode: ChannelLinkingMethod) -> Int {
        switch mode {
        case .none: 0
        case .compare: 1
        case .typed: 2
        }
    }
}
