import BackendAPI
import OpenID
import OutgoingRequests
import ServerCore
import ServerPersistence
import StrictJSON
import TestSupport
import Testing
import UAF
import UAFService

@Suite("Webhooks: which records of the audit become messages")
struct WebhookSubscriberTests {
    private func messages(
        _ stage: DeliveryStage, _ records: [AuditSubscriberRecord]
    ) async throws -> [OutgoingMessage] {
        let subscriber = WebhookSubscriber(stage.receivers, transactions: stage.storage)
        let effect = try await subscriber.prepare(records, random: stage.random, at: stage.clock.now())
        try await stage.storage.transaction(effect.write)
        return stage.storage.kept.messages
    }

    private func data(_ message: OutgoingMessage) throws -> JSONObject {
        try JSONParser.parse(message.content).asObject().required("data") { value throws(JSONTypeError) in
            try value.asObject()
        }
    }

    @Test("A removed user is named by the external ID that the audit has kept")
    func removedUser() async throws {
        let stage = try DeliveryStage()
        let record = AuditSubscriberRecord(
            chainID: "main", sequence: 1, kind: .userRemoved, at: stage.clock.now(), userID: UserID(from: stage.random),
            externalID: UserName("customer-1"))
        let found = try await messages(stage, [record])
        #expect(found.map(\.destination) == ["shop", "bank"])
        #expect(try data(try #require(found.first)).string("userId") == "customer-1")
    }

    @Test("A device that goes with its keys is one message for each receiver")
    func oneMessage() async throws {
        let stage = try DeliveryStage()
        let user = UserID(from: stage.random)
        let records = [AuditEvent.Kind.credentialRemoved, .credentialRemoved, .deviceRemoved].enumerated().map {
            index, kind in
            AuditSubscriberRecord(
                chainID: "main", sequence: Int64(index), kind: kind, at: stage.clock.now(), userID: user)
        }
        #expect(try await messages(stage, records).count == 2)
    }

    @Test("An event that no receiver wants, a confirmation that no system has asked for, and a refusal become nothing")
    func nothing() async throws {
        let stage = try DeliveryStage()
        let user = UserID(from: stage.random)
        let records = [
            AuditSubscriberRecord(
                chainID: "main", sequence: 1, kind: .userLocked, at: stage.clock.now(), userID: user),
            AuditSubscriberRecord(
                chainID: "main", sequence: 2, kind: .signedIn, at: stage.clock.now(), userID: user,
                ceremony: CeremonyID(from: stage.random)),
            AuditSubscriberRecord(
                chainID: "main", sequence: 3, kind: .deviceDeleted, at: stage.clock.now(), userID: user,
                reason: "userInactive"),
        ]
        #expect(try await messages(stage, records).isEmpty)
    }

    @Test("SRV-24: Wrong digits that stop operations for a user are told to the receivers that want it")
    func throttled() async throws {
        var stage = try DeliveryStage()
        stage.receivers = [try DeliveryStage.receiver("bank", at: "https://bank.example/hook", events: [.throttled])]
        let record = AuditSubscriberRecord(
            chainID: "main", sequence: 1, kind: .userThrottled, at: stage.clock.now(),
            userID: UserID(from: stage.random), reason: "wrong-digits", externalID: UserName("customer-1"))
        let message = try #require(try await messages(stage, [record]).first)
        #expect(try JSONParser.parse(message.content).asObject().string("type") == "user.throttled")
        #expect(try data(message).string("userId") == "customer-1")
    }

    /// Who removes a device, and then the user.
    enum Remover: CaseIterable, Sendable {
        case command, backend, phone, owner
    }

    @Test(
        "SA-13: A removal names user and device for every cause, and though the rows are gone",
        arguments: Remover.allCases)
    func removalNames(remover: Remover) async throws {
        let stage = try DeliveryStage()
        let phone = try SyntheticAuthenticator()
        let server = try await TestServer(authenticators: [phone])
        let user = try await server.services.users.add(name: "jeff", externalID: "ext-jeff")
        #expect(try await server.register(phone, for: user) == .ok)
        let device = try SyntheticDevice()
        let target = try #require(DispatchTargetID(text: try await server.addTarget(of: user, on: device)))
        _ = try await server.database.transaction { connection throws(ServerPersistenceError) in
            try connection.execute(
                "UPDATE credentials SET dispatch_target_id = $1 WHERE user_id = $2",
                [.blob(target.octets), .blob(user.id.octets)])
        }
        let authenticator = try #require(try await server.storage.targets.target(target)).target.externalID
        let follower = AuditFollower(
            [WebhookSubscriber(Array(stage.receivers.prefix(1)), transactions: server.openID)], of: server.services,
            transactions: server.openID)
        try await follower.begin()
        try await remove(device, target, of: user, by: remover, server)
        server.clock.advance(by: .seconds(1))
        try await removeUser(user, by: remover, server)
        await follower.round()
        let now = server.clock.now()
        let told = try await server.openID.read { snapshot throws(ServerTransactionFailure) in
            try snapshot.dueMessages(at: now, limit: 10)
        }
        let found = try told.map { try data($0) }
        #expect(found.map { $0["userId"] } == [.string("ext-jeff"), .string("ext-jeff")])
        // Both are of one round, and in no order.
        #expect(Set(found.map { $0["authenticatorId"] }) == [.string(authenticator.text), nil])
    }

    private func gateway(_ server: TestServer) -> RelyingPartyGateway {
        let keys = server.services.keys
        return RelyingPartyGateway(
            OpenIDServer(server.services, transactions: server.openID, settings: OpenIDSettings()),
            seal: OpenIDSeal(keys: keys, random: server.random))
    }

    private func remove(
        _ device: SyntheticDevice, _ target: DispatchTargetID, of user: User, by remover: Remover, _ server: TestServer
    ) async throws {
        let services = server.services
        switch remover {
        case .command: try await services.removeDevice(target.text)
        case .backend:
            let owned = try #require(try await server.storage.targets.target(target))
            try await gateway(server).removeAuthenticator(
                owned.target.externalID, for: try #require(AccessKeyName("portal")), client: ClientContext())
        case .phone:
            let id = device.id.text
            let deletion = DeviceRequest(server.claims(target.text, .deleteDevice, naming: id))
            try await services.devices.remove(id, signed: try device.signed(deletion), client: ClientContext())
        case .owner:
            let asked = GetUAFRequest(DeregistrationContext(username: user.name, scope: .everything))
            _ = try await services.deregistration.issueRequest(
                asked, authorization: server.grant(user), client: ClientContext())
        }
    }

    private func removeUser(_ user: User, by remover: Remover, _ server: TestServer) async throws {
        guard remover == .backend else { return try await server.services.users.remove(named: "jeff") }
        try await gateway(server).removeUser(
            user.externalID, for: try #require(AccessKeyName("portal")), client: ClientContext())
    }
}
