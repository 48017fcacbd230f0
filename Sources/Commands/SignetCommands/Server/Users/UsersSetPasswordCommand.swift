import ArgumentParser
import ServerCore
import StrictJSON

/// `signet-server users set-password`.
struct UsersSetPasswordCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set-password",
        abstract: "Set or replace the password of a user, and end all sessions and tokens.",
        discussion: PasswordFile.discussion)

    @Argument(help: "Name or external id of the user.")
    var name: String

    @Option(name: .long, help: ArgumentHelp("File with the new password.", valueName: "file"))
    var passwordFile: String

    @OptionGroup var options: ServerOptions

    func run() async throws {
        try await options.reportOnServices { services in try await outcome(on: services) }
    }

    /// Sets the password.
    func outcome(on services: ServerServices) async throws -> CommandReport.Outcome {
        try await services.users.setPassword(try PasswordFile(path: passwordFile).password(), named: name)
        return CommandReport.Outcome(
            text: "\(ForeignText.name(name)) has a new password; all sessions and tokens are ended.",
            result: ["user": .string(name), "password": .string("set")])
    }
}
