import ArgumentParser
import CommandSupport
import OpenID
import ServerAdministration
import ServerCore
import StrictJSON
import UAFService

struct ClientCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "client", abstract: "Add, change and remove the web sites that sign people in.",
        discussion: "Change clients of the configuration (openid.clients) in its file.",
        subcommands: [
            ClientAddCommand.self, OperationCommand<ListClients>.self, OperationCommand<ShowClient>.self,
            ClientSetCommand.self, OperationCommand<DisableClient>.self, OperationCommand<EnableClient>.self,
            OperationCommand<RemoveClient>.self, ClientResetSecretCommand.self,
        ])
}

struct ClientAddCommand: AdministrationCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add a web site or an application that signs people in.")

    @Argument(help: "Name of the client in requests: letters, digits, dot, underscore, hyphen.")
    var id: String

    @Option(name: .long, help: ArgumentHelp("Name to show to people.", valueName: "name"))
    var name: String

    @OptionGroup var proof: ClientProof
    @OptionGroup var settings: ClientSettings
    @OptionGroup var options: ServerOptions

    /// Adds the client.
    ///
    /// What can be refused is refused before a secret is written.
    func outcome(on server: OpenIDServer) async throws -> CommandReport.Outcome {
        let id = try ClientSelection.newID(id, on: server)
        let administration = ClientAdministration(server)
        guard try await !administration.all().contains(where: { $0.client.id == id }) else {
            throw ClientSelection.exists(id)
        }
        let stand = proof.isPublic ? RegisteredClient.Authentication.none : .privateKey(.document([]))
        var client = RegisteredClient(id: id, name: try ClientSelection.name(name), authentication: stand)
        client.idTokenAlgorithm = .rs256
        client.attributeScopes = ScopeName.ofNewClients
        try settings.apply(to: &client)
        client.authentication = try proof.authentication(random: server.services.ports.random)
        guard try await administration.add(client) else { throw ClientSelection.exists(id) }
        let sheet = ClientSheet(
            client: client, issuer: server.services.settings.outOfBand.origin, secretFile: proof.secretFile)
        let isServed = server.settings.openID != nil
        let advice: TerminalText = "\nThe provider is off: set openid.enabled to true, and start the server again."
        return CommandReport.Outcome(
            text: "Added the client \(id.text). Its site has to know:\n\(sheet.text)" + (isServed ? "" : advice),
            result: ["client": ClientDescription.json(client, isDisabled: false), "site": sheet.json])
    }
}

struct ClientSetCommand: AdministrationCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Change settings of a client; the others stay as they are.",
        discussion: "A repeatable option replaces its whole list.")

    @Argument(help: "Name of the client.")
    var id: String

    @Option(name: .long, help: ArgumentHelp("Name to show to people.", valueName: "name"))
    var name: String?

    @OptionGroup var settings: ClientSettings
    @OptionGroup var options: ServerOptions

    func outcome(on server: OpenIDServer) async throws -> CommandReport.Outcome {
        let (known, isDisabled) = try await ClientSelection.client(id, on: server)
        var client = known
        if let name { client.name = try ClientSelection.name(name) }
        try settings.apply(to: &client)
        guard try await ClientAdministration(server).replace(client) else {
            throw ClientSelection.unknown(id)
        }
        return CommandReport.Outcome(
            text: "Changed the client \(client.id.text).",
            result: ["client": ClientDescription.json(client, isDisabled: isDisabled)])
    }
}

struct ClientResetSecretCommand: AdministrationCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset-secret", abstract: "Give a client a new secret; the old one stops working at once.")

    @Argument(help: "Name of the client.")
    var id: String

    @Option(
        name: .long, help: ArgumentHelp("New file for the secret; mode 0600, never on the terminal.", valueName: "file")
    )
    var secretFile: String

    @OptionGroup var options: ServerOptions

    func outcome(on server: OpenIDServer) async throws -> CommandReport.Outcome {
        let (known, isDisabled) = try await ClientSelection.client(id, on: server)
        var client = known
        guard case .secret = client.authentication else {
            throw CommandFailure.refused("noSecret", "the client \(client.id.text) proves itself without a secret")
        }
        client.authentication = .secret(
            try ClientProof.writeSecret(to: secretFile, random: server.services.ports.random))
        guard try await ClientAdministration(server).replace(client) else {
            throw ClientSelection.unknown(id)
        }
        return CommandReport.Outcome(
            text: "The client \(client.id.text) has a new secret, in \(secretFile).",
            result: ["client": ClientDescription.json(client, isDisabled: isDisabled)])
    }
}

struct ListClients: OperationWords {
    typealias Manner = Showing

    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the clients, the configured ones first.")

    func steps(on server: some AdministrationConnection) -> [OperationStep] {
        [OperationStep(request: .init(.listClients))]
    }

    func text(of reply: AdministrationReply, isWhole: Bool) -> TerminalText {
        reply.table(
            of: "clients", ["ID": "id", "NAME": "name", "DISABLED": "disabled", "SCOPES": "scopes"],
            empty: "There are no clients.")
    }
}

struct ShowClient: OperationWords {
    typealias Manner = Showing

    static let configuration = CommandConfiguration(commandName: "show", abstract: "Show a client, without secrets.")

    @Argument(help: "Name of the client.")
    var id: String

    func steps(on server: some AdministrationConnection) -> [OperationStep] {
        [OperationStep(request: .init(.client, id))]
    }
}

struct DisableClient: OperationWords {
    typealias Manner = Changing

    static let configuration = CommandConfiguration(
        commandName: "disable",
        abstract: "Disable a client and end its tokens; all servers refuse it within ten seconds.")

    @Argument(help: "Name of the client.")
    var id: GivenName

    func steps(on server: some AdministrationConnection) -> [OperationStep] {
        [
            OperationStep(
                request: .init(.changeClient, id.text, members: ["disabled": .bool(true)]),
                done: "Disabled the client \(id.terminal).")
        ]
    }
}

struct EnableClient: OperationWords {
    typealias Manner = Changing

    static let configuration = CommandConfiguration(
        commandName: "enable", abstract: "Enable a client that was disabled; what it had before stays ended.")

    @Argument(help: "Name of the client.")
    var id: GivenName

    func steps(on server: some AdministrationConnection) -> [OperationStep] {
        [
            OperationStep(
                request: .init(.changeClient, id.text, members: ["disabled": .bool(false)]),
                done: "Enabled the client \(id.terminal).")
        ]
    }
}

struct RemoveClient: OperationWords {
    typealias Manner = Changing

    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a client of the database with all its grants.")

    @Argument(help: "Name of the client.")
    var id: GivenName

    func steps(on server: some AdministrationConnection) -> [OperationStep] {
        [OperationStep(request: .init(.removeClient, id.text), done: "Removed the client \(id.terminal).")]
    }
}
