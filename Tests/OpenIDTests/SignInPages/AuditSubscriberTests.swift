import BackendAPI
import OpenID
import ServerCore
import SignInPages
import TestSupport
import Testing
import UAF

@Suite("Subscribers: a history for the user, and an announcement of a new device")
struct AuditSubscriberTests {
    @Test("Records of a user become entries once, newest first, and at most fifty are kept")
    func history() async throws {
        let stage = try PageStage()
        let device = try stage.addDevice()
        let records = (1...60).map { record(stage, .targetCreated, $0, target: device.target.id) }
        for _ in 1...2 { try await write(records, stage) }
        let user = stage.user.id
        let entries = try await stage.runner.read { snapshot throws(ServerTransactionFailure) in
            try snapshot.history(of: user)
        }
        #expect(entries.count == HistoryEntry.limit)
        #expect(entries.first?.sequence == 60 && entries.first?.kind == .deviceAdded)
        #expect(entries.first?.device == "Phone")
    }

    @Test("A sign-in and a payment that a site has asked for are told apart, with the name of the site")
    func signIn() async throws {
        let stage = try PageStage()
        var shop = RegisteredClient(id: try #require(ClientID("shop")), name: "Shop", authentication: .none)
        shop.redirects = [try #require(RedirectAddress("https://shop.example/back"))]
        let ceremony = try operation(stage, by: shop.id)
        stage.runner.change { $0.operations = [ceremony] }
        let kinds: [AuditEvent.Kind] = [.signedIn, .transactionSucceeded]
        let records = kinds.enumerated().map { index, kind in
            AuditSubscriberRecord(
                chainID: "test", sequence: Int64(index), kind: kind,
                at: stage.clock.now() + .seconds(index), userID: stage.user.id, ceremony: ceremony.id)
        }
        try await write(records, stage, clients: OneClient(client: shop))
        #expect(stage.runner.kept.history.map(\.kind).sorted { $0.rawValue < $1.rawValue } == [.payment, .signIn])
        #expect(stage.runner.kept.history.allSatisfy { $0.client == "Shop" })
    }

    private func operation(_ stage: PageStage, by client: ClientID) throws -> OutOfBandCeremony {
        OutOfBandCeremony(
            id: CeremonyID(from: stage.random), operation: .authentication, userID: stage.user.id, targetID: nil,
            initiator: .client(client), tokenHash: RedeemTokenHash(of: stage.random.bytes(count: 16)),
            requestContext: "{}", link: nil, dispatch: nil, sealedContent: [], createdAt: stage.clock.now(),
            progress: CeremonyProgress(tokenCreatedAt: stage.clock.now(), expiresAt: stage.clock.now() + .seconds(60)))
    }

    @Test("A record of a user who is gone writes nothing and stops no subscriber")
    func gone() async throws {
        let stage = try PageStage()
        let records = [record(stage, .userLocked, 1)]
        stage.runner.change { $0.users = [] }
        try await write(records, stage)
        #expect(stage.runner.kept.history.isEmpty)
    }

    @Test("A new device is announced once to the older ones, and not to itself")
    func announcement() async throws {
        let stage = try PageStage()
        let old = try stage.addDevice("Old", destination: .token("old-phone"))
        stage.clock.advance(by: .seconds(60))
        let new = try stage.addDevice("New", destination: .token("new-phone"))
        let push = RecordingDispatcher(.firebaseCloudMessaging, pushes: true)
        let subscriber = try announcement(stage, push)
        let records = [record(stage, .targetCreated, 2, target: new.target.id)]
        for _ in 1...2 { _ = try await subscriber.prepare(records, random: stage.random, at: stage.clock.now()) }
        let destination = try #require(old.target.destination)
        #expect(push.announcements.map(\.destination) == [destination])
        #expect(push.announcements.first?.notification.title?.isEmpty == false)
    }

    @Test("The first device of a user is not announced")
    func first() async throws {
        let stage = try PageStage()
        let new = try stage.addDevice(destination: .token("new-phone"))
        let push = RecordingDispatcher(.firebaseCloudMessaging, pushes: true)
        _ = try await announcement(stage, push).prepare(
            [record(stage, .targetCreated, 1, target: new.target.id)], random: stage.random, at: stage.clock.now())
        #expect(push.announcements.isEmpty)
    }

    private func announcement(
        _ stage: PageStage, _ push: RecordingDispatcher,
        settings: OpenIDSettings = OpenIDSettings()
    ) throws -> DeviceAnnouncement {
        try #require(
            DeviceAnnouncement(
                settings: settings, targets: MemoryTargets(runner: stage.runner),
                dispatchers: DispatcherSet(Dispatchers([push]))))
    }

    @Test("A recovery is announced to every phone of the user, and new devices only where the settings say so")
    func recovery() async throws {
        let stage = try PageStage()
        for name in ["Old", "New"] { _ = try stage.addDevice(name, destination: .token("token of \(name)")) }
        let push = RecordingDispatcher(.firebaseCloudMessaging, pushes: true)
        var settings = OpenIDSettings()
        settings.pages.announcesNewDevices = false
        settings.recovery.isEnabled = true
        let announcement = try announcement(stage, push, settings: settings)
        #expect(announcement.kinds == [.recoveryBegun])
        _ = try await announcement.prepare(
            [record(stage, .recoveryBegun, 1), record(stage, .targetCreated, 2)], random: stage.random,
            at: stage.clock.now())
        #expect(push.announcements.count == 2)
        settings.recovery.isEnabled = false
        let silent = DeviceAnnouncement(
            settings: settings, targets: MemoryTargets(runner: stage.runner),
            dispatchers: DispatcherSet(Dispatchers([push])))
        #expect(silent == nil)
    }

    @Test("Of weaker methods that were refused every phone hears once an hour, however often they are tried")
    func weakerMethod() async throws {
        let stage = try PageStage()
        for name in ["Old", "New"] { _ = try stage.addDevice(name, destination: .token("token of \(name)")) }
        let push = RecordingDispatcher(.firebaseCloudMessaging, pushes: true)
        var settings = OpenIDSettings()
        settings.pages.announcesNewDevices = false
        settings.openID = OpenIDSettings.Provider()
        settings.openID?.passkeys = OpenIDSettings.Passkeys()
        let announcement = try announcement(stage, push, settings: settings)
        #expect(announcement.kinds == [.weakerMethodRefused])
        for (sequence, count) in [(Int64(1), 2), (2, 2), (3_600, 2), (3_601, 4)] {
            _ = try await announcement.prepare(
                [record(stage, .weakerMethodRefused, sequence)], random: stage.random, at: stage.clock.now())
            #expect(push.announcements.count == count)
        }
    }

    @Test("A new passkey is in the history and is announced to every phone; a sign-in with one names the site")
    func passkeys() async throws {
        let stage = try PageStage()
        for name in ["Old", "New"] { _ = try stage.addDevice(name, destination: .token("token of \(name)")) }
        let push = RecordingDispatcher(.firebaseCloudMessaging, pushes: true)
        var settings = OpenIDSettings()
        settings.openID = OpenIDSettings.Provider()
        settings.openID?.passkeys = OpenIDSettings.Passkeys()
        _ = try await announcement(stage, push, settings: settings).prepare(
            [record(stage, .passkeyRegistered, 1)], random: stage.random, at: stage.clock.now())
        #expect(push.announcements.count == 2)
        let shop = RegisteredClient(id: try #require(ClientID("shop")), name: "Shop", authentication: .none)
        let signIn = AuditSubscriberRecord(
            chainID: "test", sequence: 3, kind: .signedIn, at: stage.clock.now() + .seconds(3), userID: stage.user.id,
            ceremony: CeremonyID(from: stage.random), initiator: .client(shop.id))
        try await write(
            [record(stage, .passkeyRegistered, 1), record(stage, .passkeyRemoved, 2), signIn], stage,
            clients: OneClient(client: shop))
        let entries = stage.runner.kept.history.sorted { $0.sequence < $1.sequence }
        #expect(entries.map(\.kind) == [.passkeyAdded, .passkeyRemoved, .signIn] && entries.last?.client == "Shop")
    }

    private func record(
        _ stage: PageStage, _ kind: AuditEvent.Kind, _ sequence: Int64, target: DispatchTargetID? = nil
    ) -> AuditSubscriberRecord {
        AuditSubscriberRecord(
            chainID: "test", sequence: sequence, kind: kind, at: stage.clock.now() + .seconds(sequence),
            userID: stage.user.id, target: target)
    }

    private func write(
        _ records: [AuditSubscriberRecord], _ stage: PageStage, clients: any ClientRegistry = NoClients()
    ) async throws {
        let subscriber = HistorySubscriber(transactions: stage.runner, clients: clients)
        let effect = try await subscriber.prepare(records, random: stage.random, at: stage.clock.now())
        try await stage.runner.transaction(effect.write)
    }

    private struct OneClient: ClientRegistry {
        let client: RegisteredClient
        func client(_ id: ClientID) async throws(ServerError) -> RegisteredClient? { id == client.id ? client : nil }
        func pageOrigins() async throws(ServerError) -> Set<String> { client.pageOrigins }
    }

    private struct NoClients: ClientRegistry {
        func client(_ id: ClientID) async throws(ServerError) -> RegisteredClient? { nil }
        func pageOrigins() async throws(ServerError) -> Set<String> { [] }
    }
}
