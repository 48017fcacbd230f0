import ArgumentParser
import CommandSupport
import ServerCore
import UAFService

struct UsersShowCommand: AdministrationCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show a user with the attributes that web sites may get.")

    @Argument(help: "Name or external id of the user.")
    var user: String

    @OptionGroup var options: ServerOptions

    func outcome(on services: ServerServices) async throws -> CommandReport.Outcome {
        let user = try await services.users.user(named: user)
        let attributes = try await services.users.attributes(of: user)
        return CommandReport.Outcome(
            text: UserDescription.text(user, attributes), result: UserDescription.json(user, attributes))
    }
}
