package import OpenID
package import ServerCore
import UAF
package import UAFService

/// Administration of a running server: one entry for the network, the console and commands.
///
/// A call has a role that suffices; reasons and versions are judged here for every caller. What a call writes names its
/// sender in the audit.
package struct AdministrationService: Sendable {
    let server: OpenIDServer
    /// People of the console; only operators change them, so that the help desk gets no phone into the account of an operator.
    package let people: AdministrationPeople
    /// Page with everything that is kept of a person, as a file.
    let personPage: @Sendable (PersonRecord) -> [UInt8]
    let presentFindings: @Sendable () async -> [ServerFinding]
    package var services: ServerServices { server.services }

    /// `findings` says what is wrong with the server at this moment, `page` makes a page for people of a person's record.
    package init(
        _ server: OpenIDServer, people: AdministrationPeople = AdministrationPeople(),
        findings: @escaping @Sendable () async -> [ServerFinding] = { [] },
        page: @escaping @Sendable (PersonRecord) -> [UInt8] = { _ in [] }
    ) {
        self.server = server
        self.people = people
        personPage = page
        presentFindings = findings
    }

    /// Does what a call asks for, or refuses it as a whole.
    package func answer(_ call: AdministrationCall) async throws(AdministrationRefusal) -> AdministrationAnswer {
        let operation = call.operation
        guard call.act.reason != nil || !operation.needsReason else { throw .reasonMissing }
        guard call.version != nil || !operation.needsVersion else { throw .versionMissing }
        var call = call
        if operation.needsReason, call.act.role != .operator { call.untouchable = people.names }
        let allowed = call
        let result: Result<AdministrationAnswer, AdministrationRefusal>
        result = await AdministrativeAct.$current.withValue(call.act) {
            do throws(AdministrationRefusal) {
                return .success(try await perform(allowed))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    private func perform(_ call: AdministrationCall) async throws(AdministrationRefusal) -> AdministrationAnswer {
        switch call.operation {
        case .listUsers: try await listUsers(call)
        case .addUser: try await addUser(call)
        case .user: try await user(call)
        case .changeUser: try await changeUser(call)
        case .removeUser: try await removeUser(call)
        case .importUsers: try await importUsers(call)
        case .setPassword: try await setPassword(call)
        case .exportPerson: try await exportPerson(call)
        case .erasePerson: try await erasePerson(call)
        case .listDevices: try await listDevices(call)
        case .device: try await device(call)
        case .changeDevice: try await changeDevice(call)
        case .removeDevice: try await removeDevice(call)
        case .listCredentials: try await listCredentials(call)
        case .credential: try await credential(call)
        case .changeCredential: try await changeCredential(call)
        case .removeCredential: try await removeCredential(call)
        case .listPasskeys: try await listPasskeys(call)
        case .passkey: try await passkey(call)
        case .removePasskey: try await removePasskey(call)
        case .listSessions: try await listSessions(call)
        case .endSessions: try await endSessions(call)
        case .listOperations: try await listOperations(call)
        case .dispatch: try await dispatch(call)
        case .operation: try await operation(call)
        case .cancelOperation: try await cancelOperation(call)
        case .invite: try await invite(call)
        case .listHistory: try await listHistory(call)
        case .findings, .listClients, .addClient, .client, .changeClient, .removeClient, .resetSecret,
            .listMessages, .message, .retryMessage, .dropMessage, .listAudit, .auditChains, .auditRecords, .auditHeads,
            .verifyAudit, .prunableAudit, .pruneAudit, .forgetSubscriber,
            .accessKeys, .policies, .models, .rotateKeys, .applicationVersions:
            try await performOnServer(call)
        }
    }

    /// Does what is not about people and their phones.
    private func performOnServer(
        _ call: AdministrationCall
    ) async throws(AdministrationRefusal) -> AdministrationAnswer {
        switch call.operation {
        case .findings: try await findings(call)
        case .listClients: try await listClients(call)
        case .addClient: try await addClient(call)
        case .client: try await client(call)
        case .changeClient: try await changeClient(call)
        case .removeClient: try await removeClient(call)
        case .resetSecret: try await resetSecret(call)
        case .listMessages: try await listMessages(call)
        case .message: try await message(call)
        case .retryMessage: try await retryMessage(call)
        case .dropMessage: try await dropMessage(call)
        case .listAudit: try await listAudit(call)
        case .auditChains: try await auditChains(call)
        case .auditRecords: try await auditRecords(call)
        case .auditHeads: try await auditHeads(call)
        case .verifyAudit: try await verifyAudit(call)
        case .prunableAudit: try await prunableAudit(call)
        case .pruneAudit: try await pruneAudit(call)
        case .forgetSubscriber: try await forgetSubscriber(call)
        case .accessKeys: try accessKeys(call)
        case .policies: try policies(call)
        case .models: try models(call)
        case .rotateKeys: try await rotateKeys(call)
        case .applicationVersions: try applicationVersions(call)
        default: throw .unknown
        }
    }

    // MARK: - Ways to the services

    /// Result of a service, whose error refuses the call.
    func passing<Value>(
        _ body: () async throws(ServerError) -> Value
    ) async throws(AdministrationRefusal) -> Value {
        do throws(ServerError) {
            return try await body()
        } catch {
            throw AdministrationRefusal(error)
        }
    }

    /// Result of one transaction, which writes nothing when it refuses.
    func transaction<Value: Sendable>(
        _ body:
            @escaping @Sendable (any OpenIDTransaction) throws(ServerTransactionFailure) -> Result<
                Value, AdministrationRefusal
            >
    ) async throws(AdministrationRefusal) -> Value {
        let result = try await passing { () async throws(ServerError) in
            try await server.transactions.transaction(body)
        }
        return try result.get()
    }

    /// Users of a list: the one whom the parameter `user` names, or a page of all in the order of their names.
    func listedUsers(_ call: AdministrationCall) async throws(AdministrationRefusal) -> UserService.Page {
        try call.requireQuery(of: ["user", "after", "limit"])
        if let text = call.query["user"] { return .init(users: [try await user(text, for: call)], next: nil) }
        let (after, limit) = (call.query["after"].flatMap { UserName($0) }, try call.limit())
        guard after != nil || call.query["after"] == nil else { throw .malformed(["after"]) }
        let page = try await passing { () async throws(ServerError) in
            try await services.users.page(after: after, limit: limit)
        }
        return .init(users: page.users.filter(call.reaches), next: page.next)
    }

    /// User whom the parameter `user` names: by the identifier of answers, else by name or external ID.
    func queriedUser(_ call: AdministrationCall) async throws(AdministrationRefusal) -> User {
        try call.requireQuery(of: ["user"])
        guard let text = call.query["user"] else { throw .malformed(["user"]) }
        return try await user(text, for: call)
    }

    func user(_ text: String, for call: AdministrationCall) async throws(AdministrationRefusal) -> User {
        let user = try await read { snapshot throws(ServerTransactionFailure) in try snapshot.user(text) }
        guard let user, call.reaches(user) else { throw .unknown }
        return user
    }

    /// User whom the path names.
    func pathUser(_ call: AdministrationCall) async throws(AdministrationRefusal) -> User {
        try await user(call.object ?? "", for: call)
    }

    func read<Value: Sendable>(
        _ body: @escaping OpenIDSnapshotBody<Value>
    ) async throws(AdministrationRefusal) -> Value {
        try await passing { () async throws(ServerError) in try await server.transactions.read(body) }
    }
}

extension OpenIDSnapshot {
    /// User by the identifier of answers, else by name or external ID.
    func user(_ text: String) throws(ServerTransactionFailure) -> User? {
        if let id = UserID(text: text), let user = try user(id) { return user }
        return try UserName(text).flatMap { name throws(ServerTransactionFailure) in try user(named: name) }
    }
}
