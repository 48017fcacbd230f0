/// Assurance of a sign-in, by what is proved of the key: the `acr` of ID tokens, weakest first.
///
/// The order is the strength of the methods that a person may have registered.
package enum Assurance: String, Sendable, Hashable, CaseIterable, Comparable {
    /// A passkey that its holder may copy to other devices; the user was verified by the authenticator.
    case syncedPasskey = "urn:signet:acr:passkey-synced"
    /// A passkey that does not leave its device.
    case passkey = "urn:signet:acr:passkey"
    /// A registered key of FIDO UAF, after the user was verified on the phone; nothing is proved of the key's protection.
    case key = "urn:signet:acr:key"
    /// The key lies in a chip that does not give it out.
    case chip = "urn:signet:acr:chip"
    /// In addition the chip counts wrong PINs.
    case chipWithPIN = "urn:signet:acr:chip-pin"

    package init(_ protection: RegisteredCredential.Protection) {
        self =
            switch protection {
            case .unproved: .key
            case .chip: .chip
            case .chipWithPIN: .chipWithPIN
            }
    }

    /// Whether a key of FIDO UAF has confirmed, which shows and signs texts; a passkey does not.
    package var signsTexts: Bool { self >= .key }

    package static func < (one: Assurance, other: Assurance) -> Bool { one.rank < other.rank }

    private var rank: Int {
        switch self {
        case .syncedPasskey: 0
        case .passkey: 1
        case .key: 2
        case .chip: 3
        case .chipWithPIN: 4
        }
    }
}
