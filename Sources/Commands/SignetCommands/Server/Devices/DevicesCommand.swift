import ArgumentParser
import ServerCore
import StrictJSON
import UAF

/// `signet-server devices`.
struct DevicesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices", abstract: "Look after the phones of users: what is lost is removed with all its keys.",
        discussion: "An id that begins with a hyphen comes behind all options and \"--\".",
        subcommands: [DevicesListCommand.self, DevicesRemoveCommand.self])
}

/// `signet-server devices list`.
struct DevicesListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the phones of users with the keys on each.",
        discussion: """
            Each line is an account on a phone. Keys that no phone has said to be its own stand in a line without a \
            name: remove those with "credentials remove".
            """)

    @Option(name: .long, help: ArgumentHelp("Only those of this user (name or external id).", valueName: "name"))
    var user: String?

    @OptionGroup var options: ServerOptions

    func run() async throws {
        try await options.reportOnServices { services in try await outcome(on: services) }
    }

    /// The devices, and the keys without one.
    func outcome(on services: ServerServices) async throws -> CommandReport.Outcome {
        var listed: [ListedDevice] = []
        for user in try await services.users.chosen(user) {
            let credentials = try await services.users.credentials(of: user)
            for target in try await services.targets.targets(ofUserNamed: user.name.text) {
                listed.append(
                    ListedDevice(
                        user: user, target: target, credentials: credentials.filter { $0.targetID == target.id })
                )
            }
            let homeless = credentials.filter { $0.targetID == nil }
            if !homeless.isEmpty { listed.append(ListedDevice(user: user, target: nil, credentials: homeless)) }
        }
        let table = TextTable(head: ListedDevice.head, rows: listed.map(\.cells))
        return CommandReport.Outcome(
            text: listed.isEmpty ? "There are no devices yet." : table.text,
            result: ["devices": .array(listed.map(\.json))])
    }
}
