import ServerCore

/// Text that the phone shows and signs at a sign-in: who asks, and from where.
package enum SignInText {
    /// Text of a sign-in at a client, in the language of the request, else in English.
    static func text(for client: RegisteredClient, _ parameters: AuthorizationParameters) -> String {
        "\(verb(parameters.language)): \(ShownText.replacing(client.name))\n\(parameters.redirect.shownOrigin)"
    }

    private static func verb(_ language: String?) -> String {
        switch language {
        case "de": "Anmelden"
        case "fr": "Se connecter"
        case "it": "Accedere"
        default: "Sign in"
        }
    }
}
