import ArgumentParser

/// Where the PIN comes from: the terminal, without echo, or a file; never an argument.
struct PINOptions: ParsableArguments {
    @Option(help: ArgumentHelp("A file that holds the PIN; without it the terminal asks.", valueName: "FILE"))
    var pinFile: String?
}
