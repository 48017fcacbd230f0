import ArgumentParser
import ServerCore
import StrictJSON
import UAF

/// `signet-server users add`.
struct UsersAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add a user.",
        discussion: PasswordFile.discussion)

    @Argument(help: "Name that the user logs in with, 1 to 128 characters.")
    var name: String

    @Option(
        name: .long,
        help: ArgumentHelp("File with the password; without it the user cannot log in by password.", valueName: "file"))
    var passwordFile: String?

    @Option(
        name: .long,
        help: ArgumentHelp("Name that other systems know the user by; random if not given.", valueName: "id"))
    var externalID: String?

    @OptionGroup var options: ServerOptions

    func run() async throws {
        try await options.reportOnServices { services in
            let password = try passwordFile.map { try PasswordFile(path: $0).password() }
            let user = try await services.users.add(name: name, externalID: externalID, password: password)
            return CommandReport.Outcome(
                text: "Added \(user.name) (external id \(user.externalID)).",
                result: ["name": .string(user.name.text), "externalId": .string(user.externalID.text)])
        }
    }
}
