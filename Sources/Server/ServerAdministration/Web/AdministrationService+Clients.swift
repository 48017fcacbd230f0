import OpenID
import ServerCore
import StrictJSON

/// Clients of the OpenID Provider, from the configuration and from the database.
extension AdministrationService {
    private typealias Client = (client: RegisteredClient, isDisabled: Bool)

    private var administration: ClientAdministration { ClientAdministration(server) }

    func listClients(_ call: AdministrationCall) async throws(AdministrationRefusal) -> AdministrationAnswer {
        try call.requireQuery(of: [])
        return AdministrationAnswer(["clients": .array(try await clients().map(Self.json))])
    }

    func client(_ call: AdministrationCall) async throws(AdministrationRefusal) -> AdministrationAnswer {
        Self.answer(try await known(call))
    }

    func changeClient(_ call: AdministrationCall) async throws(AdministrationRefusal) -> AdministrationAnswer {
        let isDisabled = try call.read(["disabled"]) { members throws(JSONTypeError) in
            try members.required("disabled") { value throws(JSONTypeError) in try value.asBool() }
        }
        try await change(call) { id async throws(ServerError) in try await administration.setDisabled(isDisabled, id) }
        return Self.answer(try await known(call))
    }

    func removeClient(_ call: AdministrationCall) async throws(AdministrationRefusal) -> AdministrationAnswer {
        try await change(call) { id async throws(ServerError) in try await administration.remove(id) }
        return .done
    }

    /// Clients are few, and an operator changes them: the version is compared before the change, not inside it.
    private func change(
        _ call: AdministrationCall, _ body: (ClientID) async throws(ServerError) -> Bool
    ) async throws(AdministrationRefusal) {
        let known = try await known(call)
        try call.require(ObjectVersion(of: Self.json(known)))
        let isDone = try await passing { () async throws(ServerError) in try await body(known.client.id) }
        guard isDone else { throw .rule("a client of the configuration is removed there") }
    }

    private func known(_ call: AdministrationCall) async throws(AdministrationRefusal) -> Client {
        guard let known = try await clients().first(where: { $0.client.id.text == call.object }) else { throw .unknown }
        return known
    }

    /// Clients of the configuration, then clients of the database.
    private func clients() async throws(AdministrationRefusal) -> [Client] {
        let configured = server.settings.openID?.clients ?? []
        return try await passing { () async throws(ServerError) -> [Client] in
            let disabled = try await administration.disabled()
            let stored = try await administration.all()
            return configured.map { ($0, disabled.contains($0.id)) } + stored
        }
    }

    private static func json(_ known: Client) -> JSONValue {
        ClientDescription.json(known.client, isDisabled: known.isDisabled)
    }

    private static func answer(_ known: Client) -> AdministrationAnswer {
        let json = json(known)
        guard case .object(let members) = json else { return .done }
        return AdministrationAnswer(members, version: ObjectVersion(of: json))
    }
}
