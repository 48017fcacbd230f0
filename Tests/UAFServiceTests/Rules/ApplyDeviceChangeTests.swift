import BackendAPI
import ServerCore
import TestSupport
import Testing
import UAF
import UAFService

@Suite("Signed requests of a device, without a database")
struct ApplyDeviceChangeTests {
    private let stage: RuleStage
    private let device: SyntheticDevice
    private let target: DispatchTarget
    private var transaction: MemoryTransaction { stage.transaction }

    init() throws {
        stage = try RuleStage()
        device = try SyntheticDevice()
        target = try stage.addTarget(on: device)
    }

    private func request(
        _ number: Int, by signer: SyntheticDevice? = nil, _ kind: AuditEvent.Kind = .deviceModified
    ) throws -> ApplyDeviceChange {
        ApplyDeviceChange(in: transaction, request: try signed(number, by: signer), event: stage.event(kind))
    }

    private func reading(_ number: Int) throws -> ReadDevice {
        ReadDevice(in: transaction, request: try signed(number), at: stage.now)
    }

    private func signed(_ number: Int, by signer: SyntheticDevice? = nil) throws -> SignedRequest {
        SignedRequest(
            targetID: target.id, signatureKey: DeviceKey(try (signer ?? device).signatureKey).thumbprint,
            requestID: "request-\(number)", rememberedUntil: stage.now + .seconds(60))
    }

    private func refusal<Value>(_ result: Result<Value, ApplyDeviceChange.Refusal>) -> ApplyDeviceChange.Refusal? {
        if case .failure(let refusal) = result { refusal } else { nil }
    }

    @Test("A request takes effect once; a copy has no record, a foreign key has one")
    func once() throws {
        var change = TargetChange()
        change.name = DeviceName("tablet")
        #expect(refusal(try request(1).change(change)) == nil)
        #expect(transaction.target(target.id)?.target.name.text == "tablet")
        #expect(refusal(try request(1).change(change)) == .replayed)
        #expect(transaction.kinds == [.deviceModified])
        #expect(refusal(try request(2, by: try SyntheticDevice()).change(change)) == .targetGone)
        #expect(transaction.state.audit.map(\.reason) == [nil, "targetGone"])
    }

    @Test("A name of another target, and a change for a locked user, are refused")
    func refused() throws {
        _ = try stage.addTarget(on: device, named: "tablet")
        var change = TargetChange()
        change.name = DeviceName("tablet")
        #expect(refusal(try request(1).change(change)) == .nameInUse)
        stage.setUser(.locked)
        change.name = DeviceName("watch")
        #expect(refusal(try request(2).change(change)) == .userInactive)
        #expect(transaction.target(target.id)?.target.name.text == "phone")
    }

    @Test("Reading tells the accounts and what waits, once, and writes no record")
    func answers() throws {
        let key = try stage.addCredential(on: target.id)
        let loose = try stage.addCredential()
        let waiting = try stage.operation(for: target.id)
        transaction.insert(waiting)
        let accounts = try reading(1).accounts(of: device.id).get()
        #expect(accounts.map(\.credentials) == [[key]] && accounts.map(\.unassigned) == [[loose.id]])
        #expect(try reading(2).pendingOperations(of: device.id).get() == [waiting])
        #expect(try reading(3).accounts(of: try #require(DeviceID("other"))).get().isEmpty)
        #expect(refusal(try reading(1).accounts(of: device.id)) == .replayed)
        #expect(transaction.kinds.isEmpty)
    }

    @Test("All that is named is removed, or nothing")
    func removal() throws {
        let key = try stage.addCredential(on: target.id)
        let known = ApplyDeviceChange.Removal(username: stage.user.name, aaid: key.id.aaid)
        let unknown = ApplyDeviceChange.Removal(username: stage.user.name, keyID: KeyID([9]))
        let partial = try request(1).remove([known, unknown], targets: [], from: device.id)
        #expect(refusal(partial) == .notFound)
        #expect(transaction.state.credentials == [key])
        #expect(refusal(try request(2).remove([known], targets: [], from: device.id)) == nil)
        #expect(transaction.state.credentials.isEmpty && transaction.state.targets.isEmpty)
        #expect(transaction.kinds == [.deviceModified, .deregistration, .targetDeleted, .deviceModified])
    }

    @Test("A target that goes leaves its keys to another one of the user on the device")
    func heir() throws {
        let key = try stage.addCredential(on: target.id)
        let second = try stage.addTarget(on: device, named: "again")
        #expect(refusal(try request(1).remove([], targets: [target.id], from: device.id)) == nil)
        #expect(transaction.credential(key.id)?.targetID == second.id)
        #expect(refusal(try request(2).remove([], targets: [second.id], from: device.id)) == .targetGone)
    }

    @Test("A device goes with all its targets and keys, unless a user of it is locked")
    func wholeDevice() throws {
        try stage.addCredential(on: target.id)
        stage.setUser(.locked)
        #expect(refusal(try request(1, .deviceDeleted).removeDevice(device.id)) == .userInactive)
        #expect(transaction.state.targets.count == 1)
        stage.setUser()
        #expect(refusal(try request(2, .deviceDeleted).removeDevice(device.id)) == nil)
        #expect(transaction.state.targets.isEmpty && transaction.state.credentials.isEmpty)
    }
}
