import ArgumentParser
import ServerCore
import StrictJSON
import UAF

/// `signet-server targets list`.
struct TargetsListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the dispatch targets: one for each account on each phone.",
        discussion: """
            Push is "on" when the phone has named a destination, "off" when the person has switched pushes off, and \
            "unset" when no destination is known: operations then wait until the application asks for them.
            """)

    @Option(name: .long, help: ArgumentHelp("Only those of this user (name or external id).", valueName: "name"))
    var user: String?

    @OptionGroup var options: ServerOptions

    func run() async throws {
        try await options.reportOnServices { services in try await outcome(on: services) }
    }

    /// The targets with the last use of each.
    func outcome(on services: ServerServices) async throws -> CommandReport.Outcome {
        var listed: [ListedTarget] = []
        for user in try await services.users.chosen(user) {
            let credentials = try await services.users.credentials(of: user)
            for target in try await services.targets.targets(ofUserNamed: user.name.text) {
                listed.append(ListedTarget(target, of: user, among: credentials))
            }
        }
        let table = TextTable(head: ListedTarget.head, rows: listed.map(\.cells))
        return CommandReport.Outcome(
            text: listed.isEmpty ? "There are no dispatch targets yet." : table.text,
            result: ["targets": .array(listed.map(\.json))])
    }
}
