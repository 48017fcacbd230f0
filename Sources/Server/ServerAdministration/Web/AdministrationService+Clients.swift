import Octets
import OpenID
import ServerCore
import StrictJSON
import UAFService

/// Clients of the OpenID Provider, from the configuration and from the database.
extension AdministrationService {
    private typealias Client = (client: RegisteredClient, isDisabled: Bool)

    private var administration: ClientAdministration { ClientAdministration(server) }

    func listClients(_ call: AdministrationCall) async throws(AdministrationRefusal) -> AdministrationAnswer {
        try call.requireQuery(of: [])
        return AdministrationAnswer(["clients": .array(try await clients().map(Self.json))])
    }

    func client(_ call: AdministrationCall) async throws(AdministrationRefusal) -> AdministrationAnswer {
        guard let known = try await clients().first(where: { $0.client.id.text == call.object }) else { throw .unknown }
        return Self.answer(known)
    }

    /// Adds a client of the database; a secret is in this answer and nowhere else.
    func addClient(_ call: AdministrationCall) async throws(AdministrationRefusal) -> AdministrationAnswer {
        let new = try NewClient(call, random: services.ports.random)
        let id = new.client.id
        guard id.text != services.settings.tokens.audience, !RegisteredClient.builtInNames.contains(id.text) else {
            throw .rule("the id is tokens.audience or a name of the server, so that tokens could be mistaken")
        }
        let isNew = !configured.contains { $0.id == id }
        let administration = administration
        let isAdded = try await passing { () async throws(ServerError) in
            isNew ? try await administration.add(new.client) : false
        }
        guard isAdded else { throw .taken }
        let known: Client = (new.client, false)
        guard case .object(var members) = Self.json(known) else { return .done }
        if let secret = new.secret { members.append("secret", .string(secret.reveal())) }
        return AdministrationAnswer(members, status: 201, version: ObjectVersion(of: Self.json(known)))
    }

    func changeClient(_ call: AdministrationCall) async throws(AdministrationRefusal) -> AdministrationAnswer {
        let isDisabled = try call.read(["disabled"]) { members throws(JSONTypeError) in
            try members.required("disabled") { value throws(JSONTypeError) in try value.asBool() }
        }
        let (administration, time) = (administration, services.ports.clock.now())
        return try await onClient(call) { known, transaction throws(ServerTransactionFailure) in
            let id = known.client.id
            let isDone = try administration.setDisabled(isDisabled, id, at: time, in: transaction)
            return isDone ? .success(Self.answer((known.client, isDisabled))) : .failure(.unknown)
        }
    }

    func removeClient(_ call: AdministrationCall) async throws(AdministrationRefusal) -> AdministrationAnswer {
        let time = services.ports.clock.now()
        return try await onClient(call) { known, transaction throws(ServerTransactionFailure) in
            let isDone = try ClientAdministration.remove(known.client.id, at: time, in: transaction)
            return isDone ? .success(.done) : .failure(.rule("a client of the configuration is removed there"))
        }
    }

    /// Changes the client of the path, beside which no other one changes and who is the one that the administrator has seen.
    private func onClient(
        _ call: AdministrationCall,
        _ body:
            @escaping @Sendable (Client, any OpenIDTransaction) throws(ServerTransactionFailure) ->
            Result<AdministrationAnswer, AdministrationRefusal>
    ) async throws(AdministrationRefusal) -> AdministrationAnswer {
        let configured = configured
        return try await transaction { transaction throws(ServerTransactionFailure) in
            try transaction.lockClients()
            let clients = try Self.clients(configured, transaction)
            guard let known = clients.first(where: { $0.client.id.text == call.object }) else {
                return .failure(.unknown)
            }
            let present = ObjectVersion(of: Self.json(known))
            guard call.version == present else { return .failure(.changed(present)) }
            return try body(known, transaction)
        }
    }

    private var configured: [RegisteredClient] { server.settings.openID?.clients ?? [] }

    private func clients() async throws(AdministrationRefusal) -> [Client] {
        let configured = configured
        return try await read { snapshot throws(ServerTransactionFailure) in try Self.clients(configured, snapshot) }
    }

    /// Clients of the configuration, then clients of the database.
    private static func clients(
        _ configured: [RegisteredClient], _ snapshot: any OpenIDSnapshot
    ) throws(ServerTransactionFailure) -> [Client] {
        let disabled = Set(try snapshot.disabledClients())
        return try configured.map { ($0, disabled.contains($0.id)) } + snapshot.clients()
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
