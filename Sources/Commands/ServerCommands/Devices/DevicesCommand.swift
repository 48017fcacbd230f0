import ArgumentParser
import BackendAPI
import CommandSupport
import ServerCore
import StrictJSON
import UAF
import UAFService

struct DevicesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices", abstract: "List the phones of users, and remove a lost one with all its keys.",
        discussion: "Put an id that begins with a hyphen after all options and \"--\".",
        subcommands: [DevicesListCommand.self, DevicesRemoveCommand.self])
}

struct DevicesListCommand: UserListCommand {
    static let member = "devices"
    static let empty: TerminalText = "There are no devices yet."
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the phones of users with the keys on each.",
        discussion: """
            Each line is an account on a phone. Keys that no phone has claimed stand in a line without a name; remove \
            them with "credentials remove".
            """)

    @Option(name: .long, help: ArgumentHelp("Only phones of this user (name or external id).", valueName: "name"))
    var user: String?

    @OptionGroup var paging: ListPaging
    @OptionGroup var options: ServerOptions

    /// The phones of a user, and the keys that are on no known one.
    func rows(of user: User, on services: ServerServices) async throws -> [ListedDevice] {
        let credentials = try await services.users.credentials(of: user)
        var listed = try await services.targets.targets(ofUserNamed: user.name.text).map { target in
            ListedDevice(user: user, target: target, credentials: credentials.filter { $0.targetID == target.id })
        }
        let homeless = credentials.filter { $0.targetID == nil }
        if !homeless.isEmpty { listed.append(ListedDevice(user: user, target: nil, credentials: homeless)) }
        return listed
    }
}

struct ListedDevice: ListedRow {
    static let head = ["USER", "DEVICE", "ID", "KEYS", "CREATED", "LAST USED"]

    let user: User
    /// Dispatch target of the phone; nil for keys without one.
    let target: DispatchTarget?
    let credentials: [RegisteredCredential]

    var cells: [String] {
        [
            ForeignText.name(user.name.text), target.map { ForeignText.name($0.name.text) } ?? "-",
            target?.id.text ?? "-", keys, target?.createdAt.iso8601 ?? "-", lastUsedAt?.iso8601 ?? "never",
        ]
    }

    var json: JSONValue {
        .object([
            "user": .string(user.name.text), "name": target.map { .string($0.name.text) } ?? .null,
            "id": target.map { .string($0.id.text) } ?? .null,
            "deviceId": target?.deviceID.map { .string($0.text) } ?? .null,
            "keys": .array(
                credentials.map {
                    .object([
                        "aaid": .string($0.id.aaid.text), "keyId": .string($0.id.keyID.base64URL),
                        "status": .string($0.status.rawValue),
                    ])
                }),
            "createdAt": target.map { .string($0.createdAt.iso8601) } ?? .null,
            "lastUsedAt": lastUsedAt.map { .string($0.iso8601) } ?? .null,
        ])
    }

    private var keys: String {
        let models = credentials.map { $0.status == .active ? $0.id.aaid.text : "\($0.id.aaid.text) (disabled)" }
        return models.isEmpty ? "none" : models.joined(separator: ", ")
    }

    private var lastUsedAt: Timestamp? { credentials.compactMap(\.lastSuccessAt).max() }
}

struct DevicesRemoveCommand: AdministrationCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a lost or stolen phone from an account.",
        discussion: """
            Removes in one step the record of the phone, its keys, the operations that wait for it, and all sessions and \
            tokens of the user, who signs in again on the other phones. Keys that no phone has claimed stay and are \
            listed; remove them with "credentials remove".
            """)

    @Option(name: .long, help: ArgumentHelp("Name or external id of the user; goes with --name.", valueName: "name"))
    var user: String?

    @Option(name: .long, help: ArgumentHelp("Name of the phone, as \"devices list\" shows it.", valueName: "device"))
    var name: String?

    @Argument(help: "Id of the phone, as \"devices list\" shows it, instead of --user and --name.")
    var id: String?

    @OptionGroup var options: ServerOptions

    func validate() throws {
        guard (id == nil) == (user != nil), (user == nil) == (name == nil) else {
            throw ValidationError("Say which phone by its id, or by --user and --name.")
        }
    }

    func outcome(on services: ServerServices) async throws -> CommandReport.Outcome {
        let id = try await chosen(on: services)
        let removed = try await services.targets.removeDevice(id)
        var lines = ["Removed the phone with \(removed.count) \(removed.count == 1 ? "key" : "keys")."]
        lines += removed.map { "  \($0.aaid) \($0.keyID)" }
        lines += try await warning(on: services)
        return CommandReport.Outcome(
            text: TerminalText(lines: lines),
            result: [
                "id": .string(id),
                "keys": .array(
                    removed.map { .object(["aaid": .string($0.aaid.text), "keyId": .string($0.keyID.base64URL)]) }),
            ])
    }

    private func chosen(on services: ServerServices) async throws -> String {
        guard let user, let name else { return id ?? "" }
        return try await services.targets.targets(ofUserNamed: user).named(name).id.text
    }

    /// Warning about the user's keys without a known device, which may be on the lost phone.
    private func warning(on services: ServerServices) async throws -> [String] {
        guard let user else { return [] }
        let owner = try await services.users.user(named: user)
        let homeless = try await services.users.credentials(of: owner).filter { $0.targetID == nil }
        guard !homeless.isEmpty else { return [] }
        return ["These keys of the user are on an unknown phone; remove the ones of the lost phone:"]
            + homeless.map { "  \($0.id.aaid) \($0.id.keyID)" }
    }
}
