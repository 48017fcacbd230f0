import MobileAuthenticationTestKit
import ServerConfiguration

extension Setting {
    private static let rule = """
        must be one of approve, deny, wrong-secret, drop, vanish, "enter TEXT", or "after 2s" and one of these
        """

    /// The value as what a user does with a question.
    func asReaction() throws(Mismatch) -> Reaction {
        guard let reaction = Reaction(words: try asText()) else { throw .rule(Self.rule) }
        return reaction
    }
}

extension Reaction {
    /// Reads the words of a script.
    fileprivate init?(words: String) {
        switch words {
        case "approve": self = .approve
        case "deny": self = .deny
        case "wrong-secret": self = .wrongSecret
        case "drop": self = .drop
        case "vanish": self = .vanish
        default:
            let parts = words.split(separator: " ", maxSplits: 1)
            guard let verb = parts.first, let rest = parts.dropFirst().first else { return nil }
            switch verb {
            case "enter": self = .enter(String(rest))
            case "after":
                let parts = rest.split(separator: " ", maxSplits: 1)
                guard parts.count == 2, let wait = Duration(configurationText: String(parts[0])),
                    let later = Reaction(words: String(parts[1]))
                else { return nil }
                self = .after(wait, later)
            default: return nil
            }
        }
    }
}
