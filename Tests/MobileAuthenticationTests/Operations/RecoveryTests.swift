import Foundation
import HardwareKeys
import MobileAuthenticationTestKit
import Testing
import UAF

@testable import MobileAuthentication
@testable import UAFClient

@Suite("Ways back: what was deleted or lost here, and what the server is told")
struct RecoveryTests {
    private func deregisterByDevice(_ phone: TestPhone, _ username: String = "jeff") async throws {
        try await phone.client.operations.deregistration.username(username)
            .authorizationProvider(JwsAuthorizationProvider()).perform()
    }

    private func departed(_ phone: TestPhone) async throws -> [String] {
        try await phone.environment.store.snapshot().departed.map(\.target.username.text)
    }

    @Test("O-H5: after a local deletion a refused registration tells the server, and is asked for once more")
    func registration() async throws {
        let phone = try await TestPhone()
        try await phone.register()
        phone.backend.script { $0.refusesFurtherKeys = true }
        try await phone.client.localData.removeAuthenticator(username: "jeff", aaid: nil)
        #expect(phone.usernames.isEmpty && phone.client.localData.deviceInformation == nil)
        #expect(try await departed(phone) == ["jeff"])
        try await phone.register()
        #expect(phone.usernames == ["jeff"])
        #expect(phone.backend.devices.records.map(\.credentials.count) == [1])
        #expect(try await departed(phone).isEmpty)
        // At first contact, and once the last key is gone, a server that announces the server binding is asked twice.
        #expect(phone.backend.requests(to: "/uaf/1.1/request/registration/").count == 2 + 1 + 2)
    }

    @Test("O-H5: a server that refuses for another reason is asked once more at most, and the refusal is told")
    func refused() async throws {
        let phone = try await TestPhone()
        try await phone.register()
        phone.backend.script { $0.faults["/uaf/1.1/request/registration/"] = .uafStatus(.unauthorized) }
        let before = phone.backend.requests(to: "/uaf/1.1/request/registration/").count
        await #expect(throws: OperationError.self) { try await phone.register("anna") }
        #expect(phone.backend.requests(to: "/uaf/1.1/request/registration/").count == before + 1)
        try await phone.client.localData.removeAuthenticator(username: "jeff", aaid: nil)
        let error = await #expect(throws: OperationError.self) { try await phone.register() }
        #expect(error?.cause as? ServerStatus == .unauthorized)
        #expect(error?.recoverySuggestion == SDKText.addFromRegisteredDevice.localized)
        #expect(phone.backend.requests(to: "/uaf/1.1/request/registration/").count == before + 3)
    }

    @Test("O-H5: a deregistration by the device tells the server of a local deletion, once")
    func deregistration() async throws {
        let phone = try await TestPhone()
        try await phone.register()
        try await phone.register("anna")
        try await phone.client.localData.removeAuthenticator(username: "jeff", aaid: nil)
        // Another server, and another user, are not meant.
        try await deregisterByDevice(phone, "absent")
        #expect(phone.backend.devices.records.count == 2)
        try await deregisterByDevice(phone)
        #expect(phone.backend.devices.records.map(\.username) == ["anna"])
        #expect(phone.usernames == ["anna"])
        let count = phone.backend.requests.count
        try await deregisterByDevice(phone)
        #expect(phone.backend.requests.count == count)
    }

    @Test("O-H5: a server that cannot be reached is told later, also after a restart of the client")
    func unreachable() async throws {
        let phone = try await TestPhone()
        try await phone.register()
        try await phone.client.localData.removeAuthenticator(username: "jeff", aaid: nil)
        phone.backend.script { $0.devices.isSupported = false }
        await #expect(throws: OperationError.self) { try await deregisterByDevice(phone) }
        #expect(try await departed(phone) == ["jeff"])
        phone.backend.script { $0.devices.isSupported = true }
        let again = try await RunningClient(phone.environment.configuration, try ports(phone))
        let check = await again.operations.deviceInformationCheck.perform()
        #expect(check.errors.isEmpty && check.mismatches.count == 2)
        let sync = await again.operations.deviceInformationSync.mismatches(check.mismatches).perform()
        #expect(sync.errors.isEmpty)
        #expect(phone.backend.devices.records.isEmpty)
        #expect(try await departed(phone).isEmpty)
        #expect(try await phone.environment.store.snapshot().deviceKeys.isEmpty)
    }

    private func ports(_ phone: TestPhone) throws -> ClientPorts {
        let facetID = try Fixtures.unwrap(FacetID("ios:bundle-id:com.example.app"))
        return ClientPorts(facetID: facetID, store: phone.authenticators, transport: phone.backend)
    }

    @Test("O-H5: a server that has removed the phone itself has nothing left to be told: no error, no mismatch")
    func removedThere() async throws {
        let phone = try await TestPhone()
        try await phone.register()
        try await phone.client.localData.removeAuthenticator(username: "jeff", aaid: nil)
        phone.backend.script { $0.devices.records = [] }
        let check = await phone.client.operations.deviceInformationCheck.perform()
        #expect(check.errors.isEmpty && check.mismatches.isEmpty)
        try await deregisterByDevice(phone)
        #expect(try await departed(phone).isEmpty)
    }

    @Test("O-H5: what waits for a phone is not asked for with the record of a deleted account")
    func pending() async throws {
        let phone = try await TestPhone()
        try await phone.register()
        try await phone.client.localData.removeAuthenticator(username: "jeff", aaid: nil)
        let count = phone.backend.requests.count
        let pending = await phone.client.operations.pendingOutOfBandOperations.perform()
        #expect(pending.operations.isEmpty && pending.errors.isEmpty)
        #expect(phone.backend.requests.count == count)
    }

    @Test("O-H5: changed fingers: the phone deregisters the lost key by itself, and registers a new one")
    func changedFingers() async throws {
        let presence = TestPresence()
        let phone = try await TestPhone { $0.presence = presence }
        phone.backend.script { $0.aaids = ["F1D0#1002"] }
        try await phone.register(user: TestUser(aaid: "F1D0#1002"))
        presence.changeFingers()
        let error = await #expect(throws: AuthenticationError.self) {
            try await phone.authenticate(user: TestUser(aaid: "F1D0#1002"))
        }
        #expect(error?.fidoErrorCode == .keyDisappearedPermanently)
        #expect(error?.recoverySuggestion == SDKText.registerAgain.localized)
        phone.backend.script { $0.refusesFurtherKeys = true }
        try await deregisterByDevice(phone)
        #expect(phone.backend.devices.records.isEmpty && phone.usernames.isEmpty)
        try await phone.register(user: TestUser(aaid: "F1D0#1002"))
        _ = try await phone.authenticate(user: TestUser(aaid: "F1D0#1002"))
    }

    @Test("O-M7: a user who is not registered here is told so, before any request")
    func stranger() async throws {
        let phone = try await TestPhone()
        try await phone.register()
        let count = phone.backend.requests.count
        let error = await #expect(throws: AuthenticationError.self) { try await phone.authenticate("absent") }
        #expect(error?.cause is UnregisteredUserError && error?.fidoErrorCode == .noSuitableAuthenticator)
        #expect(error?.errorDescription == SDKText.notRegisteredHere.localized)
        #expect(error?.recoverySuggestion == SDKText.registerHere.localized)
        #expect(phone.backend.requests.count == count)
    }
}
