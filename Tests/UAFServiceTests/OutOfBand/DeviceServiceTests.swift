import BackendAPI
import ServerCore
import TestSupport
import Testing
import UAF
import UAFService

@Suite("Device service: what a device does for itself (backend-http-api 4.2 to 4.5)")
struct DeviceServiceTests {
    private let stage: OutOfBandStage

    init() async throws {
        stage = try await OutOfBandStage()
    }

    private var server: TestServer { stage.server }

    private func pending(_ requestID: String) async throws -> PendingOperations {
        let id = stage.device.id.text
        let claims = server.claims(stage.target, .pendingOperations, naming: id, requestID: requestID)
        let sealed = try await server.services.devices.pendingOperations(
            of: id, signed: stage.device.signed(DeviceRequest(claims)), client: ClientContext())
        return try PendingOperations(body: stage.device.opened(sealed))
    }

    private func change(
        _ requestID: String = "r", edit: (DeviceClaims) throws -> DispatchTargetChange
    ) async throws {
        let claims = server.claims(
            stage.target, .changeDispatchTarget, naming: stage.target, requestID: requestID)
        try await server.services.targets.change(
            stage.target, signed: stage.device.signed(try edit(claims)), client: ClientContext())
    }

    private func target() async throws -> DispatchTarget? {
        try await server.services.targets.targets(ofUserNamed: "jeff").first
    }

    @Test("A lost push is found among the pending operations, and is gone once redeemed")
    func lostPush() async throws {
        #expect(try await pending("r1").entries.isEmpty)
        let answer = try await server.dispatch(to: stage.target)
        let entries = try await pending("r2").entries
        #expect(entries.map(\.dispatchTargetID) == [stage.target])
        guard case .plain(let content) = try #require(entries.first).payload.content else {
            Issue.record("the payload inside the sealed answer is plain")
            return
        }
        #expect(content.token == answer.token)
        #expect(await server.redeem(content.token).statusCode == .ok)
        #expect(try await pending("r3").entries.isEmpty)
    }

    @Test("An operation that has run out, or is of a locked user, does not wait any more")
    func notPending() async throws {
        _ = try await server.dispatch(to: stage.target)
        try await server.services.users.lock(named: "jeff")
        #expect(try await pending("r1").entries.isEmpty)
        try await server.services.users.unlock(named: "jeff")
        #expect(try await pending("r2").entries.count == 1)
        server.clock.advance(by: .seconds(120))
        #expect(try await pending("r3").entries.isEmpty)
    }

    @Test("A device is renamed, gets a new push token, and has its pushes switched off")
    func changes() async throws {
        try await change("r1") { DispatchTargetChange($0, name: DeviceName("Tablet")) }
        #expect(try await target()?.name.text == "Tablet")
        try await change("r2") { DispatchTargetChange($0, destination: .token("fresh")) }
        #expect(try await target()?.destination == .token("fresh"))
        try await change("r3") { DispatchTargetChange($0, destination: .disabledByUser) }
        #expect(try await target()?.destination == .disabledByUser)
        #expect(try await target()?.name.text == "Tablet")
        #expect(try await server.dispatch(to: stage.target).result == .dispatchError)
    }

    @Test("A name that another device of the user has is refused, another user's is not")
    func names() async throws {
        try await server.addTarget(of: stage.user, on: SyntheticDevice("two"), named: "Tablet")
        let eve = try await server.services.users.add(name: "eve")
        try await server.addTarget(of: eve, on: SyntheticDevice("three"), named: "Watch")
        await #expect(throws: ServerError.targetNameInUse) {
            try await change("r1") { DispatchTargetChange($0, name: DeviceName("Tablet")) }
        }
        try await change("r2") { DispatchTargetChange($0, name: DeviceName("Watch")) }
    }

    @Test("A change of an unknown target is 404, of a locked user forbidden, by an unknown dispatcher refused")
    func refusedChanges() async throws {
        let claims = server.claims(stage.target, .changeDispatchTarget, naming: "unknown")
        await #expect(throws: ServerError.targetUnknown) {
            try await server.services.targets.change(
                "unknown", signed: stage.device.signed(DispatchTargetChange(claims)), client: ClientContext())
        }
        await #expect(throws: ServerError.dispatcherUnknown) {
            try await change("r1") { DispatchTargetChange($0, dispatcher: .pngQRCode) }
        }
        try await server.services.users.lock(named: "jeff")
        await #expect(throws: ServerError.forbidden) {
            try await change("r2") { DispatchTargetChange($0, name: DeviceName("Tablet")) }
        }
    }

    @Test("A device deletes itself with everything of it, once")
    func deletion() async throws {
        let id = stage.device.id.text
        let claims = server.claims(stage.target, .deleteDevice, naming: id)
        let token = try stage.device.signed(DeviceRequest(claims))
        try await server.services.devices.remove(id, signed: token, client: ClientContext())
        #expect(try await target() == nil)
        await #expect(throws: ServerError.signatureInvalid) {
            try await server.services.devices.remove(id, signed: token, client: ClientContext())
        }
    }

    @Test("SRV-21: Without a database nothing is answered, and the request can be sent again")
    func failClosed() async throws {
        server.database.set { $0.failsCommits = true }
        await #expect(throws: ServerError.storageUnavailable) { try await pending("r1") }
        server.database.set { $0.failsCommits = false }
        #expect(try await pending("r1").entries.isEmpty)
    }

    @Test("An administrator renames a target and takes its push destination away; the device gets to know")
    func administration() async throws {
        try await server.services.changeDevice(stage.target, name: DeviceName("Blue phone"))
        try await server.services.changeDevice(stage.target)
        #expect(try await target()?.name.text == "Blue phone")
        #expect(try await target()?.destination == nil)
        #expect(try await server.dispatch(to: stage.target).result == .dispatchTargetExpired)
        #expect(try await stage.lastKinds(2) == ["ADMIN_DISPATCH_TARGET_RENAMED", "ADMIN_PUSH_UNSET"])
    }
}
