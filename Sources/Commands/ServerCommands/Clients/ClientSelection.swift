import CommandSupport
import OpenID
import ServerAdministration
import ServerCore
import StrictJSON
import UAFService

/// Selection of a client by its name, with the refusals of all commands for clients.
enum ClientSelection {
    /// Name of the client under which the page of the devices signs users in.
    private static let builtIn = "my-devices"

    static func newID(_ text: String, on server: OpenIDServer) throws(CommandFailure) -> ClientID {
        guard let id = ClientID(text) else {
            throw .refused(
                "invalidClient", "the name of a client has 1 to 64 letters, digits, dots, underscores, hyphens")
        }
        guard id.text != server.services.settings.tokens.audience, id.text != builtIn else {
            throw .refused(
                "clientReserved",
                "\(id.text) is tokens.audience or a name of the server, so that tokens could be mistaken")
        }
        guard server.settings.openID?.clients.contains(where: { $0.id == id }) != true else {
            throw exists(id)
        }
        return id
    }

    static func name(_ text: String) throws(CommandFailure) -> String {
        guard let name = RegisteredClient.name(text) else {
            throw .refused("invalidName", "--name takes \(RegisteredClient.nameRule)")
        }
        return name
    }

    static func client(
        _ text: String, on server: OpenIDServer
    ) async throws -> (client: RegisteredClient, isDisabled: Bool) {
        let found = try await ClientAdministration(server).all().first { $0.client.id.text == text }
        guard let found else { throw unknown(text) }
        return found
    }

    static func exists(_ id: ClientID) -> CommandFailure {
        .refused("clientExists", "there is a client \(id.text) already")
    }

    static func unknown(_ text: String) -> CommandFailure {
        .refused("clientUnknown", "the database has no client \(ForeignText.name(text))")
    }
}
