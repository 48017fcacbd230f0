import ArgumentParser

/// Options of the commands that send requests for a user to the server.
struct ExchangeOptions: ParsableArguments {
    @OptionGroup var network: NetworkOptions

    @Option(help: ArgumentHelp("The user's name.", valueName: "NAME"))
    var user: String
}
