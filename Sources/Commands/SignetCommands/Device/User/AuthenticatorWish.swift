/// Which authenticator a person wants.
enum AuthenticatorWish: Sendable {
    /// The first that the server accepts and the phone offers.
    case first
    /// This one.
    case kind(AuthenticatorChoice)
    /// The one that the person chooses from a list.
    case asked(Terminal)

    /// What an option says.
    init(_ choice: AuthenticatorChoice?) { self = choice.map(Self.kind) ?? .first }
}
