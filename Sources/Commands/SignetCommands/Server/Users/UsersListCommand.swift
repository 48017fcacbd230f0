import ArgumentParser
import ServerCore
import StrictJSON
import UAF

/// `signet-server users list`.
struct UsersListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the users in the order of their names.")

    @OptionGroup var options: ServerOptions

    func run() async throws {
        try await options.reportOnServices { services in Self.report(try await services.users.all()) }
    }

    private static func report(_ users: [User]) -> CommandReport.Outcome {
        let lines = users.map { "\($0.name)\t\($0.externalID)\t\($0.status.rawValue)" }
        let objects = users.map { user in
            JSONValue.object([
                "name": .string(user.name.text), "externalId": .string(user.externalID.text),
                "status": .string(user.status.rawValue), "createdAt": .string(user.createdAt.iso8601),
            ])
        }
        return CommandReport.Outcome(
            text: lines.isEmpty ? "There are no users yet." : lines.joined(separator: "\n"),
            result: ["users": .array(objects)])
    }
}
