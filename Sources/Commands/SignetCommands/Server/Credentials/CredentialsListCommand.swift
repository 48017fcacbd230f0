import ArgumentParser
import ServerCore
import StrictJSON
import UAF

/// `signet-server credentials list`.
struct CredentialsListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the registered credentials.")

    @Option(name: .long, help: ArgumentHelp("Only those of this user (name or external id).", valueName: "name"))
    var user: String?

    @OptionGroup var options: ServerOptions

    func run() async throws {
        try await options.reportOnServices { services in try await outcome(on: services) }
    }

    /// The credentials with the name of the phone each belongs to.
    func outcome(on services: ServerServices) async throws -> CommandReport.Outcome {
        var listed: [ListedCredential] = []
        for user in try await services.users.chosen(user) {
            let targets = try await services.targets.targets(ofUserNamed: user.name.text)
            for credential in try await services.users.credentials(of: user) {
                listed.append(ListedCredential(credential, of: user, among: targets))
            }
        }
        let table = TextTable(head: ListedCredential.head, rows: listed.map(\.cells))
        return CommandReport.Outcome(
            text: listed.isEmpty ? "There are no credentials yet." : table.text,
            result: ["credentials": .array(listed.map(\.json))])
    }
}
