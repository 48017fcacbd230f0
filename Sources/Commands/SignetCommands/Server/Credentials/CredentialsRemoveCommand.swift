import ArgumentParser
import ServerCore
import StrictJSON
import UAF

/// `signet-server credentials remove`.
struct CredentialsRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove credentials of a user: nothing succeeds with them any more, at once.",
        discussion: """
            Sessions and tokens of the user end with the keys, and so does what was begun with them: a registration \
            that is open fails. The phone keeps its record, finds out when it is used next, and can still ask what \
            waits for it; "devices remove" takes that away, too.
            """)

    @OptionGroup var selection: UserCredentialSelection

    @OptionGroup var options: ServerOptions

    func run() async throws {
        try await options.reportOnServices { services in try await outcome(on: services) }
    }

    /// Does it for what is selected; that there is nothing is a failure.
    func outcome(on services: ServerServices) async throws -> CommandReport.Outcome {
        let (owner, ids) = try await selection.chosen(on: services)
        let changed = try await services.users.remove(ids, ofUserNamed: selection.user)
        return CredentialsReport(verb: "removed").outcome(changed, of: owner)
    }
}
