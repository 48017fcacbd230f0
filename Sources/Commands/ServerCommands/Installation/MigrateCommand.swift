import ArgumentParser
import CommandSupport
import ServerCommandSupport
import ServerConfiguration
import StrictJSON

/// `signet-server migrate`: migrates the database to the present schema.
struct MigrateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate", abstract: "Bring the database to the form that this version needs.",
        discussion: """
            "serve" does the same when it starts; this command is for those who want to do it beforehand. It may be \
            interrupted and repeated.
            """)

    @OptionGroup var options: ServerOptions

    func run() async throws {
        try await options.report {
            let deployment = try options.file.deployment()
            let installation = try await ServerInstallation.open(
                deployment, origin: deployment.origin, logger: ServerLog.quiet)
            let numbers = installation.migrations
            try installation.close()
            let text =
                numbers.isEmpty
                ? "The database was up to date already."
                : "The database is up to date now; steps run: " + numbers.map(String.init).joined(separator: ", ") + "."
            return CommandReport.Outcome(text: text, result: ["steps": .array(numbers.map { .integer($0) })])
        }
    }
}
