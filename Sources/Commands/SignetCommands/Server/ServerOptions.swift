import ArgumentParser

/// What every command of `signet-server` takes.
struct ServerOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "The configuration file (YAML). Without it the defaults for a trial on this machine apply.",
            valueName: "file"))
    var config: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Folder of database, keys and certificate, instead of the configured one.", valueName: "directory"))
    var dataDirectory: String?

    @Option(name: .long, help: "How to print what came out: text or json.")
    var format = OutputFormat.text

    /// Where the configuration stands.
    var file: ConfigurationFile { ConfigurationFile(path: config, dataDirectory: dataDirectory) }

    /// Runs the body of a command and reports its outcome.
    func report(_ body: () async throws -> CommandReport.Outcome) async throws {
        try await CommandReport(program: .server, format: format).run(body)
    }
}
