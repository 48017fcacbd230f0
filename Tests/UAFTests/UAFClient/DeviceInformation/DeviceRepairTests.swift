import BackendAPI
import Testing
import UAF

@testable import UAFClient

@Suite("Repairs of what this device and its servers know of each other")
struct DeviceRepairTests {
    private let phone: PlainPhone
    private let key: LocalCredential
    private let stranger: LocalCredential

    init() throws {
        phone = try PlainPhone()
        key = try phone.credential(1)
        stranger = try phone.credential(9)
    }

    /// The response of the first server, as the device has it in a round.
    private func round(
        _ device: DeviceSnapshot, _ accounts: [DeviceCredentials.Account]
    ) throws -> ServerFanOut<DeviceCredentials> {
        var round = ServerFanOut<DeviceCredentials>()
        round.device = device
        round.answers = [.init(signer: signer, body: try phone.report(accounts))]
        return round
    }

    private var signer: DeviceSnapshot.Target {
        DeviceSnapshot.Target(identifier: "1", username: phone.username, server: phone.server)
    }

    /// What a comparison with the responses finds.
    private func mismatches(_ round: ServerFanOut<DeviceCredentials>) throws -> [DeviceMismatch] {
        let device = try #require(round.device)
        return round.answers.flatMap { DeviceComparison(device, $0.signer.server, $0.body).mismatches }
    }

    @Test("Only mismatches that were named are repaired")
    func named() throws {
        let round = try round(
            phone.device([key], records: [("1", "jeff")]), [try phone.account(stranger, "1", name: "renamed")])
        let found = try mismatches(round)
        #expect(found.count == 3)
        #expect(DeviceRepairPlan([], round).repairs.isEmpty)
        let removal = DeviceRepairPlan(found.filter { if case .credentialOnlyHere = $0 { true } else { false } }, round)
        #expect(removal.repairs == [.removeHere([key.id], phone.server)])
    }

    @Test("A mismatch that is gone by now, or that another server has, is not repaired")
    func gone() throws {
        let device = phone.device([key], records: [("1", "jeff")])
        let found = try mismatches(try round(device, [try phone.account(stranger, "1")]))
        #expect(!found.isEmpty)
        #expect(DeviceRepairPlan(found, try round(device, [try phone.account(key, "1")])).repairs.isEmpty)
        let elsewhere = DeviceMismatch.name(there: "renamed", here: "phone", phone.other)
        let renamed = try round(device, [try phone.account(key, "1", name: "renamed")])
        #expect(DeviceRepairPlan([elsewhere], renamed).repairs.isEmpty)
    }

    @Test("A record that only the server has is remembered where its account has none here, and else removed there")
    func record() throws {
        let link = DeviceRecord.Link(identifier: "7", username: "jeff")
        let without = try round(phone.device([key]), [try phone.account(key, "7")])
        #expect(
            DeviceRepairPlan(try mismatches(without), without).repairs
                == [.changeHere([.remember(link)], phone.server)])
        let second = try round(
            phone.device([key], records: [("1", "jeff")]),
            [try phone.account(key, "1"), try phone.account(key, "7")])
        guard case .removeThere(let removal, _, _)? = DeviceRepairPlan(try mismatches(second), second).repairs.first
        else {
            Issue.record("the record stays")
            return
        }
        #expect(removal.targetIDs == ["7"] && removal.credentials.isEmpty)
    }

    @Test("N-M6: the name and the token of this device go to the server that has others, and to no other")
    func direction() throws {
        let elsewhere = try phone.credential(
            3, username: UserName("anna"), server: phone.other, appID: key.appID)
        let device = phone.device([key, elsewhere], records: [("1", "jeff"), ("2", "anna")])
        let renamed = try round(device, [try phone.account(key, "1", name: "renamed")])
        #expect(
            DeviceRepairPlan(try mismatches(renamed), renamed).repairs
                == [.changeThere(device.targets[0], DispatchTargetUpdate(name: DeviceName("phone")))])
        let silent = try round(device, [try phone.account(key, "1", token: nil)])
        let destination = DispatchTargetUpdate(destination: PushDestination("t"))
        #expect(
            DeviceRepairPlan(try mismatches(silent), silent).repairs
                == [.changeThere(device.targets[0], destination)])
    }

    @Test("Every step is tried whatever came of the others, and the refusals name the servers")
    func steps() {
        let repairs: [DeviceRepair] = [
            .removeHere([key.id], phone.server), .changeHere([.name("x")], phone.other),
            .removeHere([stranger.id], phone.other),
        ]
        var machine = DeviceRepairMachine(repairs)
        var step = machine.start()
        var tried: [DeviceRepair] = []
        while case .perform(let repair) = step {
            tried.append(repair)
            step = machine.resume(tried.count == 2 ? .answer(.refused(.failed(.noDeviceLock))) : .answer(.done(())))
        }
        #expect(tried == repairs)
        guard case .finish(.success(let refusals)) = step else {
            Issue.record("no end")
            return
        }
        #expect(refusals.map(\.server) == [phone.other])
    }

    @Test("After a cancellation only the changes of this device are made")
    func cancellation() {
        let local: [DeviceRepair] = [.removeHere([key.id], phone.server), .changeHere([.name("x")], phone.server)]
        #expect(local.allSatisfy { $0.outlivesCancellation })
        #expect(!DeviceRepair.changeThere(signer, DispatchTargetUpdate()).outlivesCancellation)
        var machine = DeviceRepairMachine([.changeThere(signer, DispatchTargetUpdate())])
        _ = machine.start()
        guard case .finish(.success(let refusals)) = machine.resume(.canceled) else {
            Issue.record("no end")
            return
        }
        #expect(refusals.count == 1)
    }
}
