package import ServerCore

/// Text that the phone shows and signs at a sign-in: who asks, and from where.
package enum SignInText {
    /// Text of a sign-in at a client, in the language of the request, else in English.
    static func text(for client: RegisteredClient, _ parameters: AuthorizationParameters) -> String {
        text(verb(parameters.language), client, parameters.redirect)
    }

    /// Whether a confirmed text belongs to a sign-in at this client, in any language and for any of its addresses.
    package static func isSignIn(_ confirmed: TransactionHash, at client: RegisteredClient) -> Bool {
        ["de", "en", "fr", "it"].contains { language in
            client.redirects.contains { redirect in
                TransactionHash(of: text(verb(language), client, redirect).utf8) == confirmed
            }
        }
    }

    private static func text(_ verb: String, _ client: RegisteredClient, _ redirect: RedirectAddress) -> String {
        "\(verb): \(ShownText.replacing(client.name))\n\(redirect.shownOrigin)"
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
