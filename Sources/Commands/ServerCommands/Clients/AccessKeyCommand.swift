import ArgumentParser
import CommandSupport
import Octets
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
        let files = PosixFiles()
        guard files.permissions(of: file) == nil else {
            throw CommandFailure.refused("fileExists", "\(file) exists; a key goes to a new file")
        }
        let text = Sensitive(Base64URL.encode(random.bytes(count: 32)))
        try files.writeNew(Array((text.reveal() + "\n").utf8), to: file, mode: 0o600)
        return CommandReport.Outcome(
            text: "Wrote a new key to \(file). Name it in out-of-band.access-keys, with its scopes, and restart.",
            result: ["file": .string(file)])
    }
}
