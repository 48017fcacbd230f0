import ArgumentParser
import BackendAPI
import CommandSupport
import ServerAdministration
import ServerCore
import StrictJSON

struct DevicesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices",
        abstract: "List, rename and silence the phones of users, and remove a lost one with all its keys.",
        discussion: "Put an id that begins with a hyphen after all options and \"--\".",
        subcommands: [
            OperationCommand<ListDevices>.self, OperationCommand<RenameDevice>.self,
            OperationCommand<UnsetPush>.self, OperationCommand<RemoveDevice>.self,
        ])
}

struct ListDevices: SingleRequest {
    typealias Manner = Listing

    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the phones of users with the keys on each.",
        discussion: """
            Each line is an account on a phone, to which operations can be sent. Push is "on" when the phone has named a \
            destination, "off" when the user has switched pushes off, and "unset" when no destination is known: operations \
            then wait until the application asks for them. Keys that no phone has claimed stand below; remove them with \
            "credentials remove".
            """)

    @Option(name: .long, help: ArgumentHelp("Only phones of this user (name or external id).", valueName: "name"))
    var user: String?

    var step: OperationStep { OperationStep(.listDevices, query: ["user": user]) }

    func text(of reply: AdministrationReply, isWhole: Bool) -> TerminalText {
        let devices = reply.table(
            of: "devices",
            [
                "ID": "id", "USER": "userName", "DEVICE": "name", "KEYS": "credentials.aaid",
                "STATUS": "credentials.status", "PUSH": "push", "CREATED": "createdAt",
                "LAST USED": "credentials.lastUsedAt",
            ], empty: "There are no devices yet.")
        let elsewhere = reply.table(
            of: "credentialsElsewhere",
            [
                "KEY ON NO KNOWN DEVICE": "keyId", "USER": "userName", "MODEL": "aaid", "STATUS": "status",
                "LAST USED": "lastUsedAt",
            ], empty: "")
        return TerminalText([devices, elsewhere].filter { !$0.isEmpty })
    }
}

struct RenameDevice: SingleRequest {
    static let configuration = CommandConfiguration(
        commandName: "rename", abstract: "Give a phone another name.",
        discussion: "The phone takes the new name over when its application next synchronizes with the server.")

    @Argument(help: "Id of the phone, as \"devices list\" shows it.")
    var id: String

    @Argument(help: "The new name, 1 to 128 characters; no other phone of the user may have it.")
    var name: GivenName

    var step: OperationStep {
        OperationStep(
            .changeDevice, id, members: ["name": .string(name.text)], done: "The phone is called \(name.terminal) now.")
    }
}

struct UnsetPush: SingleRequest {
    static let configuration = CommandConfiguration(
        commandName: "unset-push", abstract: "Stop push messages to a phone.",
        discussion:
            "They begin again when the phone names a destination; links, QR codes and questions by the phone still work."
    )

    @Argument(help: "Id of the phone, as \"devices list\" shows it.")
    var id: String

    var step: OperationStep {
        OperationStep(
            .changeDevice, id, members: ["push": .null],
            done: "The server sends no push messages to the phone any more.")
    }
}

struct RemoveDevice: OperationWords {
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

    func validate() throws {
        guard (id == nil) == (user != nil), (user == nil) == (name == nil) else {
            throw ValidationError("Say which phone by its id, or by --user and --name.")
        }
    }

    func steps(on server: some AdministrationConnection) async throws -> [OperationStep] {
        var id = id ?? ""
        var homeless: [JSONObject] = []
        if let user, let name {
            let phones = try await server.phones(of: user)
            id = try phones.named(name).text("id") ?? ""
            homeless = phones.keysElsewhere
        }
        let phone = try await server.answer(to: .init(.device, id))
        var request = AdministrationRequest(.removeDevice, id)
        request.version = phone.version
        let keys = phone.objects("credentials")
        var lines: [TerminalText] = ["Removed the phone with \(keys.count) \(keys.count == 1 ? "key" : "keys")."]
        lines += keys.map(\.line)
        if !homeless.isEmpty {
            lines.append("These keys of the user are on an unknown phone; remove the ones of the lost phone:")
            lines += homeless.map(\.line)
        }
        return [OperationStep(request, done: TerminalText(lines))]
    }
}

/// Phones of a user, and keys that are on no known one.
struct ListedPhones {
    let devices: [JSONObject]
    let keysElsewhere: [JSONObject]

    /// The phone of this name or identifier; throws ``ServerCore/ServerError/targetUnknown``.
    func named(_ text: String) throws(ServerError) -> JSONObject {
        let name = DeviceName(text)?.text ?? text
        guard let device = devices.first(where: { $0.text("name") == name || $0.text("id") == text }) else {
            throw .targetUnknown
        }
        return device
    }
}

extension AdministrationConnection {
    func phones(of user: String) async throws -> ListedPhones {
        let reply = try await answer(to: .init(.listDevices, query: ["user": user]))
        return ListedPhones(devices: reply.objects("devices"), keysElsewhere: reply.objects("credentialsElsewhere"))
    }
}

extension JSONObject {
    fileprivate var line: TerminalText { "  \(text("aaid") ?? "-") \(text("keyId") ?? "-")" }
}
