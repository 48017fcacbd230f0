import ArgumentParser
import CommandSupport
import ServerCore
import StrictJSON

/// `signet-server client list`: lists the clients of the configuration and of the database.
struct ClientListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the clients, those of the configuration first.")

    @OptionGroup var options: ServerOptions

    func run() async throws {
        try await options.reportOnServices { services in try await outcome(on: services) }
    }

    /// The list.
    func outcome(on services: ServerServices) async throws -> CommandReport.Outcome {
        let configured = services.settings.webSites.openID?.clients ?? []
        let stored = try await ClientAdministration(services).all()
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

/// `signet-server client show`: shows a client.
struct ClientShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show a client of the database, without secrets.")

    @Argument(help: "Name of the client.")
    var id: String

    @OptionGroup var options: ServerOptions

    func run() async throws {
        try await options.reportOnServices { services in try await outcome(on: services) }
    }

    /// The client.
    func outcome(on services: ServerServices) async throws -> CommandReport.Outcome {
        let (client, isDisabled) = try await ClientSelection.client(id, on: services)
        let description = ClientDescription.json(client, isDisabled: isDisabled)
        return CommandReport.Outcome(text: JSONWriter.text(description), result: ["client": description])
    }
}

/// `signet-server client disable`: disables a client.
struct ClientDisableCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "disable", abstract: "Disable a client: it is refused everywhere within ten seconds.")

    @Argument(help: "Name of the client.")
    var id: String

    @OptionGroup var options: ServerOptions

    func run() async throws {
        try await options.reportOnServices { services in
            try await ClientSelection.setDisabled(true, id, on: services)
        }
    }
}

/// `signet-server client enable`: enables a client again.
struct ClientEnableCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "enable", abstract: "Enable a client that was disabled.")

    @Argument(help: "Name of the client.")
    var id: String

    @OptionGroup var options: ServerOptions

    func run() async throws {
        try await options.reportOnServices { services in
            try await ClientSelection.setDisabled(false, id, on: services)
        }
    }
}

/// `signet-server client remove`: removes a client.
struct ClientRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a client with everything that it was granted.")

    @Argument(help: "Name of the client.")
    var id: String

    @OptionGroup var options: ServerOptions

    func run() async throws {
        try await options.reportOnServices { services in try await outcome(on: services) }
    }

    /// Removes the client.
    func outcome(on services: ServerServices) async throws -> CommandReport.Outcome {
        let (client, _) = try await ClientSelection.client(id, on: services)
        guard try await ClientAdministration(services).remove(client.id) else { throw ClientSelection.unknown(id) }
        return CommandReport.Outcome(
            text: "Removed the client \(client.id.text).", result: ["removed": .string(client.id.text)])
    }
}
