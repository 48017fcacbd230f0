import ArgumentParser
import CommandSupport
import OpenID
import ServerCore
import StrictJSON
import UAFService

struct ClientListCommand: SiteAdministrationCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the clients, the configured ones first.")

    @OptionGroup var options: ServerOptions

    func outcome(on server: OpenIDServer) async throws -> CommandReport.Outcome {
        let configured = server.settings.openID?.clients ?? []
        let stored = try await ClientAdministration(server).all()
        let all = configured.map { (client: $0, isDisabled: false) } + stored
        let lines = all.map { client, isDisabled in
            [
                client.id.text, ForeignText.name(client.name), isDisabled ? "disabled" : "enabled",
                ClientDescription.scopes(client).map(\.rawValue).joined(separator: " "),
            ].joined(separator: "\t")
        }
        return CommandReport.Outcome(
            text: lines.isEmpty ? "There are no clients." : lines.joined(separator: "\n"),
            result: ["clients": .array(all.map { ClientDescription.json($0.client, isDisabled: $0.isDisabled) })])
    }
}

struct ClientShowCommand: SiteAdministrationCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show a client of the database, without secrets.")

    @Argument(help: "Name of the client.")
    var id: String

    @OptionGroup var options: ServerOptions

    func outcome(on server: OpenIDServer) async throws -> CommandReport.Outcome {
        let (client, isDisabled) = try await ClientSelection.client(id, on: server)
        let description = ClientDescription.json(client, isDisabled: isDisabled)
        return CommandReport.Outcome(text: JSONWriter.text(description), result: ["client": description])
    }
}

struct ClientDisableCommand: SiteAdministrationCommand {
    static let configuration = CommandConfiguration(
        commandName: "disable", abstract: "Disable a client; all servers refuse it within ten seconds.")

    @Argument(help: "Name of the client.")
    var id: String

    @OptionGroup var options: ServerOptions

    func outcome(on server: OpenIDServer) async throws -> CommandReport.Outcome {
        try await ClientSelection.setDisabled(true, id, on: server)
    }
}

struct ClientEnableCommand: SiteAdministrationCommand {
    static let configuration = CommandConfiguration(
        commandName: "enable", abstract: "Enable a client that was disabled.")

    @Argument(help: "Name of the client.")
    var id: String

    @OptionGroup var options: ServerOptions

    func outcome(on server: OpenIDServer) async throws -> CommandReport.Outcome {
        try await ClientSelection.setDisabled(false, id, on: server)
    }
}

struct ClientRemoveCommand: SiteAdministrationCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a client with all its grants.")

    @Argument(help: "Name of the client.")
    var id: String

    @OptionGroup var options: ServerOptions

    func outcome(on server: OpenIDServer) async throws -> CommandReport.Outcome {
        let (client, _) = try await ClientSelection.client(id, on: server)
        guard try await ClientAdministration(server).remove(client.id) else { throw ClientSelection.unknown(id) }
        return CommandReport.Outcome(
            text: "Removed the client \(client.id.text).", result: ["removed": .string(client.id.text)])
    }
}
