package import BackendAPI
import Octets
package import ServerCore

/// Fresh digits that link a phone to a screen, for one ceremony.
package struct LinkingDigits {
    let mode: ChannelLinkingMethod
    /// The digits, each as likely as every other.
    let text: Sensitive<String>
    private let salt: [UInt8]

    /// Draws digits; nil when nothing links the two.
    package init?(_ mode: ChannelLinkingMethod, count: Int, from random: any RandomSource) {
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
    package var shown: ShownChannelLinking { ShownChannelLinking(mode: mode, digits: text.reveal()) }

    /// Demand on the phone: how many digits the user types there, never which; where the user compares, the digits.
    var demand: ChannelLinkingDemand {
        mode == .compare ? .compare(text.reveal()) : .typed(length: text.reveal().utf8.count)
    }
}
