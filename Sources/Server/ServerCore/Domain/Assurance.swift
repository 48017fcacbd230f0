/// Assurance of a confirmation, by what is proved of the key: the `acr` of ID tokens, weakest first.
package enum Assurance: String, Sendable, Hashable, CaseIterable, Comparable {
    /// A registered key, after the user was verified on the phone; nothing is proved of the key's protection.
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

    package static func < (one: Assurance, other: Assurance) -> Bool { one.rank < other.rank }

    private var rank: Int {
        switch self {
        case .key: 0
        case .chip: 1
        case .chipWithPIN: 2
        }
    }
}
