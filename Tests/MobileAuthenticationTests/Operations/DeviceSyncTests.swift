import BackendAPI
import Foundation
import MobileAuthenticationTestKit
import Testing
import UAF

@testable import MobileAuthentication
@testable import UAFClient

@Suite("Falling out of step with a server: check and sync")
struct DeviceSyncTests {
    /// A phone with a PIN and a password of one user, and a PIN of another.
    private func phone() async throws -> TestPhone {
        let phone = try await TestPhone()
        let person = await TestUser(pins: ["482915"])
        try await phone.registration("jeff", person)
            .deviceInformation(DeviceInformation(name: "phone", fcmRegistrationToken: "push-1")).perform()
        phone.backend.script { $0.aaids = ["F1D0#1005"] }
        try await phone.registration("jeff", await TestUser(pins: ["correct horse"], aaid: "F1D0#1005")).perform()
        phone.backend.script { $0.aaids = ["F1D0#1001"] }
        try await phone.register("anna")
        return phone
    }

    private func check(_ phone: TestPhone) async -> [DeviceInformationMismatch] {
        let result = await phone.client.operations.deviceInformationCheck.perform()
        #expect(result.errors.isEmpty)
        return result.mismatches
    }

    private func sync(_ phone: TestPhone, _ mismatches: [DeviceInformationMismatch]) async {
        let result = await phone.client.operations.deviceInformationSync.mismatches(mismatches).perform()
        #expect(result.errors.isEmpty)
    }

    private func expectMended(_ phone: TestPhone, _ mismatch: DeviceInformationMismatch) async {
        // A dry run explains and changes nothing.
        #expect(!mismatch.explanation.isEmpty)
        await sync(phone, [])
        #expect(await check(phone) == [mismatch])
        await sync(phone, [mismatch])
        #expect(await check(phone).isEmpty)
    }

    @Test("In step there is nothing to find")
    func inStep() async throws { #expect(await check(try await phone()).isEmpty) }

    @Test(
        "N-M6: a record that a server renamed gets the name of this device back; no other record and no name here changes"
    )
    func renamed() async throws {
        let phone = try await phone()
        phone.backend.script { $0.devices.records[0].name = "renamed" }
        let mismatches = await check(phone)
        guard case .DeviceNameMismatch("renamed", "phone", _)? = mismatches.first else {
            Issue.record("\(mismatches)")
            return
        }
        #expect(mismatches.first?.proposedAction == .sendToServer)
        await expectMended(phone, mismatches[0])
        #expect(phone.client.localData.deviceInformation?.name == "phone")
        #expect(phone.backend.devices.records.map(\.name) == ["phone", "phone"])
    }

    @Test("A push token that an administrator took away is sent again")
    func pushUnset() async throws {
        let phone = try await phone()
        phone.backend.script { $0.devices.records[1].destination = nil }
        let mismatches = await check(phone)
        guard case .FcmRegistrationTokenMismatch(nil, "push-1"?, _)? = mismatches.first else {
            Issue.record("\(mismatches)")
            return
        }
        #expect(mismatches.first?.proposedAction == .sendToServer)
        await expectMended(phone, mismatches[0])
        #expect(phone.backend.devices.records.map(\.destination) == [.token("push-1"), .token("push-1")])
    }

    @Test("A credential that an administrator removed is removed here, and only that one")
    func removedThere() async throws {
        let phone = try await phone()
        phone.backend.script { $0.devices.records[0].credentials.removeFirst() }
        let mismatches = await check(phone)
        guard case .MissingAuthenticatorInServer(_, "F1D0#1001", let account)? = mismatches.first else {
            Issue.record("\(mismatches)")
            return
        }
        #expect(account.username == "jeff")
        #expect(mismatches.first?.proposedAction == .removeFromMobileDevice)
        await expectMended(phone, mismatches[0])
        #expect(try phone.authenticator(.Pin).registration.registeredAccounts.map(\.username) == ["anna"])
        #expect(try phone.authenticator(.Password).registration.isRegistered("jeff"))
    }

    @Test("An authenticator that was deleted here is removed at the server")
    func removedHere() async throws {
        let phone = try await phone()
        try await phone.client.localData.removeAuthenticator(username: "jeff", aaid: "F1D0#1005")
        let mismatches = await check(phone)
        guard case .MissingAuthenticatorInMobileDevice(_, "F1D0#1005", _)? = mismatches.first else {
            Issue.record("\(mismatches)")
            return
        }
        #expect(mismatches.first?.proposedAction == .removeFromServer)
        await expectMended(phone, mismatches[0])
        #expect(phone.backend.devices.records[0].credentials.map(\.aaid.text) == ["F1D0#1001"])
    }

    @Test("An account that was deleted here leaves a record and a credential there; both go in one request")
    func accountRemovedHere() async throws {
        let phone = try await phone()
        try await phone.client.localData.removeAuthenticator(username: "anna", aaid: nil)
        let mismatches = await check(phone)
        #expect(mismatches.count == 2)
        #expect(mismatches.allSatisfy { $0.proposedAction == .removeFromServer })
        await sync(phone, mismatches)
        #expect(phone.backend.devices.records.map(\.username) == ["jeff"])
        #expect(await check(phone).isEmpty)
    }

    @Test("A record that the server lost is forgotten here; the authenticator stays")
    func recordLost() async throws {
        let phone = try await phone()
        phone.backend.script { $0.devices.records.removeFirst() }
        let mismatches = await check(phone)
        guard case .MissingDeviceInformationInServer(let pair, _)? = mismatches.first else {
            Issue.record("\(mismatches)")
            return
        }
        #expect(pair.username == "jeff")
        await expectMended(phone, mismatches[0])
        #expect(phone.client.localData.deviceInformation?.idUsernamePairs.map(\.username) == ["anna"])
        #expect(try phone.authenticator(.Pin).registration.isRegistered("jeff"))
    }

    @Test("A record that was never heard of here is taken over when its account is here")
    func answerLost() async throws {
        let phone = try await phone()
        try await phone.environment.store.change([.forget(DeviceRecord.Link(identifier: "target-1", username: "jeff"))])
        let mismatches = await check(phone)
        guard case .MissingDeviceInformationInMobileDevice("target-1", _)? = mismatches.first else {
            Issue.record("\(mismatches)")
            return
        }
        await sync(phone, mismatches)
        #expect(phone.backend.devices.records.count == 2)
        #expect(phone.client.localData.deviceInformation?.idUsernamePairs.count == 2)
        #expect(await check(phone).isEmpty)
    }

    @Test("Nothing is touched that was not named, and nothing that is no longer so")
    func onlyWhatWasNamed() async throws {
        let phone = try await phone()
        phone.backend.script {
            $0.devices.records[0].name = "renamed"
            $0.devices.records[0].credentials.removeFirst()
        }
        let mismatches = await check(phone)
        #expect(mismatches.count == 2)
        let name = mismatches.filter { $0.proposedAction == .sendToServer }
        await sync(phone, name)
        #expect(try phone.authenticator(.Pin).registration.isRegistered("jeff"))
        await sync(phone, name)
        #expect(await check(phone).count == 1)
    }

    @Test("Without mismatches, a second time, and with a server that is gone, sync says so")
    func syncErrors() async throws {
        let phone = try await phone()
        let operation = phone.client.operations.deviceInformationSync
        let missing = await operation.perform().errors.first
        #expect(missing?.cause as? MissingParameterError == MissingParameterError("mismatches"))
        #expect(await operation.perform().errors.first?.cause is OperationReuseError)
        phone.backend.script { $0.devices.records[0].name = "renamed" }
        let mismatches = await check(phone)
        phone.backend.script { $0.devices.now = 0 }
        let result = await phone.client.operations.deviceInformationSync.mismatches(mismatches).perform()
        guard case .ClockSkewTooBig? = result.errors.first else {
            Issue.record("\(result.errors)")
            return
        }
        #expect(phone.client.localData.deviceInformation?.name == "phone")
    }

    @Test("A name that another device has is told as such, with what helps, and not as a network that failed")
    func takenName() async throws {
        let phone = try await phone()
        phone.backend.script {
            $0.devices.records[0].name = "renamed"
            $0.devices.takenNames = ["phone"]
        }
        let mismatches = await check(phone)
        let result = await phone.client.operations.deviceInformationSync.mismatches(mismatches).perform()
        guard let error = result.errors.first, case .NameAlreadyExists(let server, _) = error else {
            Issue.record("\(result.errors)")
            return
        }
        #expect(server.baseUrl.absoluteString == ScriptedBackend.address)
        #expect(error.recoverySuggestion != nil && !error.isRetryable)
    }

    @Test("Without an authenticator no question is asked; a device that the server does not accept is Forbidden")
    func checkErrors() async throws {
        let empty = try await TestPhone()
        let nothing = await empty.client.operations.deviceInformationCheck.perform()
        #expect(nothing.mismatches.isEmpty && nothing.errors.isEmpty && empty.backend.requests.isEmpty)
        let phone = try await phone()
        phone.backend.script { $0.devices.records = [] }
        let result = await phone.client.operations.deviceInformationCheck.perform()
        guard case .Forbidden? = result.errors.first, result.errors.count == 1 else {
            Issue.record("\(result.errors)")
            return
        }
    }

    // MARK: - Deregistration by the device

    @Test(
        "Attack A-17: the device deregisters by its own signature one authenticator, then everything of a user, without asking him"
    )
    func deregistration() async throws {
        let phone = try await phone()
        let operations = phone.client.operations
        try await operations.deregistration.username("jeff").aaid("F1D0#1005")
            .authorizationProvider(JwsAuthorizationProvider()).perform()
        #expect(phone.backend.devices.records[0].credentials.map(\.aaid.text) == ["F1D0#1001"])
        #expect(try !phone.authenticator(.Password).registration.isRegistered("jeff"))
        try await operations.deregistration.username("jeff").authorizationProvider(JwsAuthorizationProvider()).perform()
        #expect(phone.usernames == ["anna"])
        #expect(phone.backend.devices.records.map(\.username) == ["anna"])
        #expect(phone.backend.requests(to: "/uaf/1.1/request/deregistration/").isEmpty)
    }

    @Test(
        "Attack A-17: the server is told first: one that refuses keeps everything here; one that knows nothing more has nothing to forget"
    )
    func deregistrationErrors() async throws {
        let phone = try await phone()
        let operations = phone.client.operations
        phone.backend.script { $0.devices.now = 0 }
        await #expect {
            try await operations.deregistration.username("jeff").authorizationProvider(JwsAuthorizationProvider())
                .perform()
        } throws: { error in if case OperationError.ClockSkewTooBig = error { true } else { false } }
        phone.backend.script {
            $0.devices.now = nil
            $0.devices.isSupported = false
        }
        await #expect {
            try await operations.deregistration.username("jeff").authorizationProvider(JwsAuthorizationProvider())
                .perform()
        } throws: { error in if case OperationError.OperationNotSupportedByBackend = error { true } else { false } }
        #expect(phone.usernames == ["jeff", "anna"])
        phone.backend.script { $0.devices.isSupported = true }
        for status in [403, 500] {
            let id = try Fixtures.unwrap(phone.client.localData.deviceInformation?.deviceId)
            let path = "/devices/credentials/" + PathComponent.encode(id)
            phone.backend.script { $0.faults[path] = .httpStatus(status) }
            await #expect {
                try await operations.deregistration.username("jeff").authorizationProvider(JwsAuthorizationProvider())
                    .perform()
            } throws: { error in if case OperationError.NetworkError = error { true } else { false } }
            phone.backend.script { $0.faults[path] = nil }
        }
        #expect(phone.usernames == ["jeff", "anna"])
        phone.backend.script { $0.devices.records.removeFirst() }
        await #expect {
            try await operations.deregistration.username("jeff").aaid("F1D0#1001")
                .authorizationProvider(JwsAuthorizationProvider()).perform()
        } throws: { error in if case OperationError.UserNotRegisteredInServer = error { true } else { false } }
        try await operations.deregistration.username("jeff").authorizationProvider(JwsAuthorizationProvider()).perform()
        #expect(phone.usernames == ["anna"])
    }
}
