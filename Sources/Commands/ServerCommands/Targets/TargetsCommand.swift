import ArgumentParser
import BackendAPI
import CommandSupport
import ServerCore
import StrictJSON
import UAF
import UAFService

struct TargetsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "targets", abstract: "List, rename and silence the phones that operations can be sent to.",
        discussion: "Put an id that begins with a hyphen after all options and \"--\".",
        subcommands: [TargetsListCommand.self, TargetsRenameCommand.self, TargetsUnsetPushCommand.self])
}

struct TargetsListCommand: UserListCommand {
    static let member = "targets"
    static let empty: TerminalText = "There are no dispatch targets yet."
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the dispatch targets: one for each account on each phone.",
        discussion: """
            Push is "on" when the phone has named a destination, "off" when the user has switched pushes off, and \
            "unset" when no destination is known: operations then wait until the application asks for them.
            """)

    @Option(name: .long, help: ArgumentHelp("Only targets of this user (name or external id).", valueName: "name"))
    var user: String?

    @OptionGroup var paging: ListPaging
    @OptionGroup var options: ServerOptions

    func rows(of user: User, on services: ServerServices) async throws -> [ListedTarget] {
        let credentials = try await services.users.credentials(of: user)
        return try await services.targets.targets(ofUserNamed: user.name.text).map { target in
            ListedTarget(target, of: user, among: credentials)
        }
    }
}

struct ListedTarget: ListedRow {
    static let head = ["ID", "USER", "NAME", "DISPATCHER", "PUSH", "CREATED", "LAST USED"]

    private let target: DispatchTarget
    private let user: User
    /// Time of the last authentication with a key of the phone; nil for never.
    private let lastUsedAt: Timestamp?

    init(_ target: DispatchTarget, of user: User, among credentials: [RegisteredCredential]) {
        self.target = target
        self.user = user
        lastUsedAt = credentials.filter { $0.targetID == target.id }.compactMap(\.lastSuccessAt).max()
    }

    var cells: [String] {
        [
            target.id.text, ForeignText.name(user.name.text), ForeignText.name(target.name.text),
            target.dispatcher?.rawValue ?? "-", push, target.createdAt.iso8601, lastUsedAt?.iso8601 ?? "never",
        ]
    }

    var json: JSONValue {
        .object([
            "id": .string(target.id.text), "externalId": .string(target.externalID.text),
            "name": .string(target.name.text), "user": .string(user.name.text),
            "deviceId": target.deviceID.map { .string($0.text) } ?? .null,
            "dispatcher": target.dispatcher.map { .string($0.rawValue) } ?? .null, "push": .string(push),
            "createdAt": .string(target.createdAt.iso8601),
            "lastUsedAt": lastUsedAt.map { .string($0.iso8601) } ?? .null,
        ])
    }

    private var push: String {
        switch target.destination {
        case .token: "on"
        case .disabledByUser: "off"
        case nil: "unset"
        }
    }
}

struct TargetsRenameCommand: AdministrationCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename", abstract: "Give a dispatch target another name.",
        discussion: "The phone takes the new name over when its application next synchronizes with the server.")

    @Argument(help: "Id of the target, as \"targets list\" shows it.")
    var id: String

    @Argument(help: "The new name, 1 to 128 characters; no other target of the user may have it.")
    var name: GivenName

    @OptionGroup var options: ServerOptions

    func outcome(on services: ServerServices) async throws -> CommandReport.Outcome {
        try await services.targets.rename(id, to: name.text)
        return CommandReport.Outcome(
            text: "The target is called \(name.terminal) now.",
            result: ["id": .string(id), "name": .string(name.text)])
    }
}

struct TargetsUnsetPushCommand: AdministrationCommand {
    static let configuration = CommandConfiguration(
        commandName: "unset-push", abstract: "Stop push messages to a dispatch target.",
        discussion:
            "They begin again when the phone names a destination; links, QR codes and questions by the phone still work."
    )

    @Argument(help: "Id of the target, as \"targets list\" shows it.")
    var id: String

    @OptionGroup var options: ServerOptions

    func outcome(on services: ServerServices) async throws -> CommandReport.Outcome {
        try await services.targets.unsetPush(id)
        return CommandReport.Outcome(
            text: "The server sends no push messages to the target any more.",
            result: ["id": .string(id), "push": .string("unset")])
    }
}
