import ArgumentParser
import CommandSupport
import ServerAdministration
import StrictJSON

struct ClientCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "client", abstract: "Add, change and remove the web sites that sign people in.",
        discussion: "Change clients of the configuration (openid.clients) in its file.",
        subcommands: [
            OperationCommand<AddClient>.self, OperationCommand<ListClients>.self, OperationCommand<ShowClient>.self,
            OperationCommand<ChangeClient>.self, OperationCommand<DisableClient>.self,
            OperationCommand<EnableClient>.self, OperationCommand<RemoveClient>.self,
            OperationCommand<ResetSecret>.self,
        ])
}

struct AddClient: SingleRequest {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add a web site or an application that signs people in.")

    @Argument(help: "Name of the client in requests: letters, digits, dot, underscore, hyphen.")
    var id: String

    @Option(name: .long, help: ArgumentHelp("Name to show to people.", valueName: "name"))
    var name: String

    @OptionGroup var proof: ClientProof
    @OptionGroup var settings: ClientSettings

    var step: OperationStep {
        get throws {
            let members = JSONObject(
                distinct: [.init("id", .string(id)), .init("name", .string(name))] + (try proof.members)
                    + settings.members)
            return OperationStep(.addClient, members: members)
        }
    }

    func outcome(of reply: AdministrationReply) throws -> CommandReport.Outcome? {
        let members = try reply.values.first?.asObject() ?? [:]
        if let file = proof.secretFile { try NewSecretFile(path: file).write(secretOf: reply, "\(id)") }
        let sheet = ClientSheet(client: members, secretFile: proof.secretFile)
        let advice: TerminalText = "\nThe provider is off: set openid.enabled to true, and start the server again."
        let shown = members.members.filter { !["secret", "issuer", "enabled"].contains($0.name) }
        return CommandReport.Outcome(
            text: "Added the client \(id). Its site has to know:\n\(sheet.text)"
                + (members["enabled"] == .bool(true) ? "" : advice),
            result: ["client": .object(JSONObject(distinct: shown)), "site": sheet.json])
    }
}

struct ChangeClient: SingleRequest {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Change settings of a client; the others stay as they are.",
        discussion: "A repeatable option replaces its whole list.")

    @Argument(help: "Name of the client.")
    var id: GivenName

    @Option(name: .long, help: ArgumentHelp("Name to show to people.", valueName: "name"))
    var name: String?

    @OptionGroup var settings: ClientSettings

    func validate() throws {
        guard !members.members.isEmpty else { throw ValidationError("Name a setting, such as --redirect.") }
    }

    var step: OperationStep {
        OperationStep(.changeClient, id.text, members: members, done: "Changed the client \(id.terminal).")
    }

    private var members: JSONObject {
        JSONObject(distinct: (name.map { [.init("name", .string($0))] } ?? []) + settings.members)
    }
}

struct ResetSecret: SingleRequest {
    static let configuration = CommandConfiguration(
        commandName: "reset-secret", abstract: "Give a client a new secret; the old one stops working at once.")

    @Argument(help: "Name of the client.")
    var id: GivenName

    @Option(
        name: .long, help: ArgumentHelp("New file for the secret; mode 0600, never on the terminal.", valueName: "file")
    )
    var secretFile: String

    var step: OperationStep {
        get throws {
            try NewSecretFile(path: secretFile).requireNew()
            return OperationStep(.resetSecret, id.text)
        }
    }

    func outcome(of reply: AdministrationReply) throws -> CommandReport.Outcome? {
        try NewSecretFile(path: secretFile).write(secretOf: reply, id.text)
        return CommandReport.Outcome(
            text: "The client \(id.terminal) has a new secret, in \(secretFile).",
            result: ["id": .string(id.text), "secretFile": .string(secretFile)])
    }
}

struct ListClients: SingleRequest {
    typealias Manner = Showing

    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the clients, the configured ones first.")

    var step: OperationStep { OperationStep(.listClients) }

    func text(of reply: AdministrationReply, isWhole: Bool) -> TerminalText {
        reply.table(
            of: "clients", ["ID": "id", "NAME": "name", "DISABLED": "disabled", "SCOPES": "scopes"],
            empty: "There are no clients.")
    }
}

struct ShowClient: SingleRequest {
    typealias Manner = Showing

    static let configuration = CommandConfiguration(commandName: "show", abstract: "Show a client, without secrets.")

    @Argument(help: "Name of the client.")
    var id: String

    var step: OperationStep { OperationStep(.client, id) }
}

struct DisableClient: SingleRequest {
    static let configuration = CommandConfiguration(
        commandName: "disable",
        abstract: "Disable a client and end its tokens; all servers refuse it within ten seconds.")

    @Argument(help: "Name of the client.")
    var id: GivenName

    var step: OperationStep {
        OperationStep(
            .changeClient, id.text, members: ["disabled": .bool(true)], done: "Disabled the client \(id.terminal).")
    }
}

struct EnableClient: SingleRequest {
    static let configuration = CommandConfiguration(
        commandName: "enable", abstract: "Enable a client that was disabled; what it had before stays ended.")

    @Argument(help: "Name of the client.")
    var id: GivenName

    var step: OperationStep {
        OperationStep(
            .changeClient, id.text, members: ["disabled": .bool(false)], done: "Enabled the client \(id.terminal).")
    }
}

struct RemoveClient: SingleRequest {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a client of the database with all its grants.")

    @Argument(help: "Name of the client.")
    var id: GivenName

    var step: OperationStep { OperationStep(.removeClient, id.text, done: "Removed the client \(id.terminal).") }
}
