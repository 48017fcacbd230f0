import ArgumentParser

/// Which authenticator a command uses.
struct AuthenticatorOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Which authenticator; without it the first that the server accepts and the phone offers.", valueName: "KIND"
        ))
    var authenticator: AuthenticatorChoice?
}
