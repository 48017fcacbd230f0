import ArgumentParser

/// Source of an authenticator's PIN or password: the terminal, without echo, or a file; never an argument, because
/// those are visible to other processes.
struct SecretOptions: ParsableArguments {
    @Option(
        name: [.customLong("secret-file"), .customLong("pin-file")],
        help: ArgumentHelp(
            "A file that holds the PIN or password of the authenticator; without it the terminal asks.",
            valueName: "FILE"))
    var secretFile: String?
}
