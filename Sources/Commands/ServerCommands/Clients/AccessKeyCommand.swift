import ArgumentParser
import CommandSupport
import ServerCore
import StrictJSON

struct AccessKeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "access-key", abstract: "Make access keys for systems that use the relying-party API.",
        subcommands: [AccessKeyNewCommand.self])
}

struct AccessKeyNewCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new", abstract: "Write a new access key to a file, for out-of-band.access-keys.")

    @Option(
        name: .long, help: ArgumentHelp("New file for the key; mode 0600, never on the terminal.", valueName: "file"))
    var file: String

    @Option(name: .long, help: "Output format: text or json.")
    var format = OutputFormat.text

    func run() async throws {
        try await CommandReport(program: .server, format: format).run { try outcome(random: SystemRandomSource()) }
    }

    func outcome(random: any RandomSource) throws -> CommandReport.Outcome {
        try NewSecretFile(path: file).write(random: random)
        return CommandReport.Outcome(
            text: "Wrote a new key to \(file). Name it in out-of-band.access-keys, with its scopes, and restart.",
            result: ["file": .string(file)])
    }
}
