import ArgumentParser
import ServerCore
import StrictJSON
import UAF

/// `signet-server credentials enable`.
struct CredentialsEnableCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "enable", abstract: "Switch credentials of a user on again.",
        discussion: """
            Sessions and tokens that were made with them hold again until they expire.
            """)

    @OptionGroup var selection: UserCredentialSelection

    @OptionGroup var options: ServerOptions

    func run() async throws {
        try await options.reportOnServices { services in try await outcome(on: services) }
    }

    /// Does it for what is selected; that there is nothing is a failure.
    func outcome(on services: ServerServices) async throws -> CommandReport.Outcome {
        let (owner, ids) = try await selection.chosen(on: services)
        let changed = try await services.users.setStatus(.active, of: ids, ofUserNamed: selection.user)
        return CredentialsReport(verb: "enabled").outcome(changed, of: owner)
    }
}
