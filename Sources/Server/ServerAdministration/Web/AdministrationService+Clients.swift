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
        let secret = freshSecret()
        let names = ClientMembers.names.union(ClientMembers.ofNewClients)
        let client = try ClientMembers(members: call.read(names) { $0 }).client(secret)
        if let conflict = RegisteredClient.nameConflict(client.id, audience: services.settings.tokens.audience) {
            throw .rule("the id \(conflict)")
        }
        let isNew = !configured.contains { $0.id == client.id }
        let administration = administration
        let isAdded = try await passing { () async throws(ServerError) in
            isNew ? try await administration.add(client) : false
        }
        guard isAdded else { throw .taken }
        let isSecret = if case .secret = client.authentication { true } else { false }
        return Self.answer(
            (client, false), secret: isSecret ? secret : nil, status: 201,
            and: [
                "issuer": .string(services.settings.outOfBand.origin), "enabled": .bool(server.settings.openID != nil),
            ])
    }

    /// Changes the settings that are named; of a client of the configuration only whether it is disabled.
    func changeClient(_ call: AdministrationCall) async throws(AdministrationRefusal) -> AdministrationAnswer {
        let members = ClientMembers(members: try call.read(ClientMembers.names.union(["disabled"])) { $0 })
        let isDisabled = try members.flag("disabled")
        guard isDisabled != nil || members.setsSomething else { throw .malformed(["disabled"]) }
        let (administration, time) = (administration, services.ports.clock.now())
        if members.members["idTokenAlgorithm"] != nil {
            try await passing { () async throws(ServerError) in try await administration.provideKey(for: .rs256) }
        }
        return try await onClient(call) { known, transaction throws(ServerTransactionFailure) in
            var changed = known
            if members.setsSomething {
                do throws(AdministrationRefusal) {
                    try members.apply(to: &changed.client)
                } catch {
                    return .failure(error)
                }
                guard try ClientAdministration.replace(changed.client, at: time, in: transaction) else {
                    return .failure(Self.isConfigured)
                }
            }
            if let isDisabled {
                changed.isDisabled = isDisabled
                let id = known.client.id
                guard try administration.setDisabled(isDisabled, id, at: time, in: transaction) else {
                    return .failure(.unknown)
                }
            }
            return .success(Self.answer(changed))
        }
    }

    /// Gives a client of the database a new secret, which is in this answer and nowhere else.
    func resetSecret(_ call: AdministrationCall) async throws(AdministrationRefusal) -> AdministrationAnswer {
        let (secret, time) = (freshSecret(), services.ports.clock.now())
        return try await onClient(call) { known, transaction throws(ServerTransactionFailure) in
            guard case .secret = known.client.authentication else {
                return .failure(.rule("the client proves itself without a secret"))
            }
            var changed = known
            changed.client.authentication = .secret(ClientSecretHash(of: secret.reveal().utf8))
            let isDone = try ClientAdministration.replace(changed.client, at: time, in: transaction)
            return isDone ? .success(Self.answer(changed, secret: secret)) : .failure(Self.isConfigured)
        }
    }

    private static let isConfigured = AdministrationRefusal.rule("a client of the configuration is changed there")

    private func freshSecret() -> Sensitive<String> {
        Sensitive(Base64URL.encode(services.ports.random.bytes(count: 32)))
    }

    func removeClient(_ call: AdministrationCall) async throws(AdministrationRefusal) -> AdministrationAnswer {
        let time = services.ports.clock.now()
        return try await onClient(call) { known, transaction throws(ServerTransactionFailure) in
            let isDone = try ClientAdministration.remove(known.client.id, at: time, in: transaction)
            return isDone ? .success(.done) : .failure(Self.isConfigured)
        }
    }

    /// Changes the client of the path, beside which no other one changes and which is the one that the administrator has seen,
    /// where the operation asks for that.
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
            guard call.version == present || !call.operation.needsVersion else { return .failure(.changed(present)) }
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

    private static func answer(
        _ known: Client, secret: Sensitive<String>? = nil, status: Int = 200, and more: JSONObject = [:]
    ) -> AdministrationAnswer {
        let json = json(known)
        guard case .object(var members) = json else { return .done }
        if let secret { members.append("secret", .string(secret.reveal())) }
        let all = JSONObject(distinct: members.members + more.members)
        return AdministrationAnswer(all, status: status, version: ObjectVersion(of: json))
    }
}
