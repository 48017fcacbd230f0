import ArgumentParser
import CommandSupport
import OpenID
import ServerCore
import StrictJSON
import UAFService

struct ClientCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "client", abstract: "Add, change and remove the web sites that sign people in.",
        discussion: "Change clients of the configuration (openid.clients) in its file.",
        subcommands: [
            ClientAddCommand.self, ClientListCommand.self, ClientShowCommand.self, ClientSetCommand.self,
            ClientDisableCommand.self, ClientEnableCommand.self, ClientRemoveCommand.self,
            ClientResetSecretCommand.self,
        ])
}

struct ClientAddCommand: SiteAdministrationCommand {
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
        var trial = RegisteredClient(id: id, name: try ClientSelection.name(name), authentication: stand)
        trial.idTokenAlgorithm = .rs256
        trial.attributeScopes = ScopeName.ofNewClients
        try settings.apply(to: &trial)
        let client = trial.changed(authentication: try proof.authentication(random: server.services.ports.random))
        guard try await administration.add(client) else { throw ClientSelection.exists(id) }
        let sheet = ClientSheet(
            client, issuer: server.services.settings.outOfBand.origin, secretFile: proof.secretFile)
        let isServed = server.settings.openID != nil
        let advice = "\nThe provider is off: set openid.enabled to true, and start the server again."
        return CommandReport.Outcome(
            text: "Added the client \(id.text). Its site has to know:\n\(sheet.text)" + (isServed ? "" : advice),
            result: ["client": ClientDescription.json(client, isDisabled: false), "site": sheet.json])
    }
}

struct ClientSetCommand: SiteAdministrationCommand {
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
        var client = known.changed(name: try name.map(ClientSelection.name))
        try settings.apply(to: &client)
        guard try await ClientAdministration(server).replace(client, because: "changed") else {
            throw ClientSelection.unknown(id)
        }
        return CommandReport.Outcome(
            text: "Changed the client \(client.id.text).",
            result: ["client": ClientDescription.json(client, isDisabled: isDisabled)])
    }
}

struct ClientResetSecretCommand: SiteAdministrationCommand {
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
        guard case .secret = known.authentication else {
            throw CommandFailure.refused("noSecret", "the client \(known.id.text) proves itself without a secret")
        }
        let hash = try ClientProof.writeSecret(to: secretFile, random: server.services.ports.random)
        let client = known.changed(authentication: .secret(hash))
        guard try await ClientAdministration(server).replace(client, because: "secret reset") else {
            throw ClientSelection.unknown(id)
        }
        return CommandReport.Outcome(
            text: "The client \(client.id.text) has a new secret, in \(secretFile).",
            result: ["client": ClientDescription.json(client, isDisabled: isDisabled)])
    }
}
