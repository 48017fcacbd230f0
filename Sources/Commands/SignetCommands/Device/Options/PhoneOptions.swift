import ArgumentParser

/// The options that every command of a phone takes.
struct PhoneOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The folder that is the phone.", valueName: "DIR"))
    var device: String

    @Option(help: "How the outcome is told: text or json.")
    var format = OutputFormat.text

    /// The folder of the phone.
    var folder: PhoneFolder { PhoneFolder(path: device) }

    /// Runs the body of a command and tells its outcome.
    func report(_ body: () async throws -> CommandReport.Outcome) async throws {
        try await CommandReport(format: format).run(body)
    }
}
