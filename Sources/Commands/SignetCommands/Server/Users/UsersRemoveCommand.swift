import ArgumentParser
import ServerCore
import StrictJSON

/// `signet-server users remove`.
struct UsersRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a user with all authenticators, sessions and the password.")

    @Argument(help: "Name or external id of the user.")
    var name: String

    @OptionGroup var options: ServerOptions

    func run() async throws {
        try await options.reportOnServices { services in
            try await services.users.remove(named: name)
            return CommandReport.Outcome(text: "Removed \(name).", result: ["removed": .string(name)])
        }
    }
}
