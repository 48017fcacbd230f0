import ArgumentParser

/// Where the PIN or password of an authenticator comes from: the terminal, without echo, or a file; never an argument.
struct SecretOptions: ParsableArguments {
    @Option(
        name: [.customLong("secret-file"), .customLong("pin-file")],
        help: ArgumentHelp(
            "A file that holds the PIN or password of the authenticator; without it the terminal asks.",
            valueName: "FILE"))
    var secretFile: String?
}
