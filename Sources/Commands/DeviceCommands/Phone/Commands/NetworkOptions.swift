import ArgumentParser

/// Options of the phone's connection to its server.
struct NetworkOptions: ParsableArguments {
    /// Default timeout of each HTTP exchange, in seconds.
    static let standardTimeout = 30

    @Option(help: ArgumentHelp("The server, instead of the one given to init.", valueName: "URL"))
    var server: String?

    @Option(help: ArgumentHelp("Certificates (PEM) to trust in addition to the ones given to init.", valueName: "FILE"))
    var ca: String?

    @Option(
        help: ArgumentHelp(
            "Write every HTTP exchange into this folder; all but harmless values are masked.", valueName: "DIR"))
    var record: String?

    @Option(
        help: ArgumentHelp(
            "Seconds after which the phone gives up on a server that does not answer, 1 to 600.", valueName: "SECONDS"))
    var networkTimeout = Self.standardTimeout

    func validate() throws {
        guard (1...600).contains(networkTimeout) else {
            throw ValidationError("--network-timeout is 1 to 600 seconds.")
        }
    }
}
