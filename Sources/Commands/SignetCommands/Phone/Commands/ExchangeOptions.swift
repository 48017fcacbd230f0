import ArgumentParser

/// The options of commands that talk to the server about a user.
struct ExchangeOptions: ParsableArguments {
    @OptionGroup var network: NetworkOptions

    @Option(help: ArgumentHelp("The user's name.", valueName: "NAME"))
    var user: String
}
