import UAFClient

/// Values of a phone that is not the SDK.
enum PlainValues: CarriedValues {
    typealias Secret = String
    typealias Presence = Never
    typealias Authorization = Int
    typealias Opened = Bool
    typealias Description = PlainDescription
    typealias Sealed = PlainMessage
    typealias Link = PlainLink
}

/// A description of a device that fits, or does not.
struct PlainDescription: DeviceDescription {
    let isStorable: Bool
}

/// A message that is a text: `sealed`, or `sealed to` and the hint at a key.
struct PlainMessage: SealedMessage {
    /// A text that is no message, or a message that no key opens.
    struct Refusal: Error {}

    let keyID: String?

    init(parsing text: String) throws(Refusal) {
        let words = text.split(separator: " ")
        guard words.first == "sealed", words.count == 1 || words.count == 3 else { throw Refusal() }
        keyID = words.count == 3 ? String(words[2]) : nil
    }
}

/// A link with TLS, without port and fragment.
struct PlainLink: RedeemLink {
    let address: ServerAddress
    let lastPathComponent: String

    init?(_ text: String) {
        guard let address = ServerAddress(text), let last = text.split(separator: "/").last else { return nil }
        self.address = address
        lastPathComponent = String(last)
    }

    var hasFragment: Bool { false }
}

extension ServerAddress {
    /// Reads an address with TLS and without a port; nil for another one.
    init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count > 2, parts[0] == "https:", parts[1].isEmpty else { return nil }
        self.init(
            text: text, scheme: "https", host: String(parts[2]), port: nil,
            path: parts.count > 3 ? "/" + parts[3] : "")
    }
}
