import ArgumentParser
import ServerCore
import StrictJSON
import UAF

/// `signet-server credentials disable`.
struct CredentialsDisableCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "disable", abstract: "Switch credentials of a user off, for as long as it takes.",
        discussion: """
            Nothing succeeds with them until "credentials enable", nor with sessions and tokens that were made with \
            nothing else. Logins made with other keys or a password go on.
            """)

    @OptionGroup var selection: UserCredentialSelection

    @OptionGroup var options: ServerOptions

    func run() async throws {
        try await options.reportOnServices { services in try await outcome(on: services) }
    }

    /// Does it for what is selected; that there is nothing is a failure.
    func outcome(on services: ServerServices) async throws -> CommandReport.Outcome {
        let (owner, ids) = try await selection.chosen(on: services)
        let changed = try await services.users.setStatus(.disabled, of: ids, ofUserNamed: selection.user)
        return CredentialsReport(verb: "disabled").outcome(changed, of: owner)
    }
}
