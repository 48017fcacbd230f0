import BackendAPI

/// Fresh digits that link a phone to a screen, for one operation.
struct LinkingDigits {
    let mode: ChannelLinkingMode
    /// The digits, each as likely as every other.
    let text: String
    private let salt: [UInt8]

    /// Draws digits; nil when nothing links the two.
    init?(_ mode: ChannelLinkingMode, count: Int, from random: any RandomSource) {
        guard mode != .none else { return nil }
        var text = ""
        while text.utf8.count < count {
            // 250 is the greatest multiple of ten that a byte holds; what is above would favour the small digits.
            for byte in random.bytes(count: count) where byte < 250 && text.utf8.count < count {
                text += String(byte % 10)
            }
        }
        self.mode = mode
        self.text = text
        salt = random.bytes(count: 16)
    }

    /// What the server remembers.
    var link: ChannelLink { ChannelLink(mode: mode, digits: text, salt: salt) }

    /// What the initiating screen shows.
    var shown: ShownChannelLinking { ShownChannelLinking(mode: mode, digits: text) }

    /// What the phone gets to know: where the person types, never the digits.
    var demand: ChannelLinkingDemand { mode == .compare ? .compare(text) : .typed(length: text.utf8.count) }
}
