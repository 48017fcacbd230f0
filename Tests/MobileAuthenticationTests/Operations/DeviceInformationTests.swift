import Authenticators
import BackendAPI
import BackendTransport
import Foundation
import JOSE
import MobileAuthenticationTestKit
import Testing
import UAF

@testable import MobileAuthentication
@testable import UAFClient

@Suite("Device information: records, change, pending operations")
struct DeviceInformationTests {
    private func phone(_ users: [String] = ["jeff"], token: String? = "push-1") async throws -> TestPhone {
        let phone = try await TestPhone()
        for user in users {
            let person = await TestUser(pins: ["482915"])
            try await phone.registration(user, person)
                .deviceInformation(DeviceInformation(name: "phone", fcmRegistrationToken: token)).perform()
        }
        return phone
    }

    // MARK: - The record of a registration

    @Test("Two accounts of a server have a record each, with one pair of keys and one identifier of the device")
    func accounts() async throws {
        let phone = try await phone(["jeff", "anna"])
        let records = phone.backend.devices.records
        #expect(records.map(\.username) == ["jeff", "anna"])
        #expect(Set(records.map(\.deviceID)).count == 1)
        #expect(Set(records.map { "\($0.signatureKey.material)" }).count == 1)
        #expect(records.first?.destination == .token("push-1"))
        #expect(phone.client.localData.deviceInformation?.idUsernamePairs.count == 2)
    }

    @Test("A further authenticator of an account proves possession of the key that the server knows")
    func furtherAuthenticator() async throws {
        let phone = try await phone()
        phone.backend.script { $0.aaids = ["F1D0#1005"] }
        let user = await TestUser(pins: ["correct horse"], aaid: "F1D0#1005")
        try await phone.registration("jeff", user).perform()
        guard case .existing? = phone.backend.contexts.last?.dispatchTarget else {
            Issue.record("another form of proposal")
            return
        }
        #expect(phone.backend.devices.records.first?.credentials.count == 2)
        #expect(phone.backend.devices.badProofs == 0)
    }

    @Test("A clock that is too far off ends a further registration, and the new key goes")
    func clockSkewAtRegistration() async throws {
        let phone = try await phone()
        phone.backend.script {
            $0.aaids = ["F1D0#1005"]
            $0.devices.now = 0
        }
        let user = await TestUser(pins: ["correct horse"], aaid: "F1D0#1005")
        await #expect {
            try await phone.registration("jeff", user).perform()
        } throws: { error in
            guard case OperationError.ClockSkewTooBig(let cause) = error else { return false }
            return (cause as? ClockSkewError)?.secondsAhead != nil
        }
        #expect(try phone.authenticator(.Password).registration.registeredAccounts.isEmpty)
    }

    @Test("A server that takes no device with a registration is asked for a record, with what allowed the registration")
    func serverWithoutExtension() async throws {
        let phone = try await TestPhone()
        phone.backend.script {
            $0.devices.takesProposals = false
            $0.devices.requiredAuthorization = "Bearer a.b.c"
        }
        let person = await TestUser(pins: ["482915"])
        try await phone.registration("jeff", person).authorizationProvider(JwtAuthorizationProvider("a.b.c")).perform()
        #expect(
            phone.client.localData.deviceInformation?.idUsernamePairs
                == [IdUsernamePair(identifier: "target-1", username: "jeff")])
        // What was made works: the device can sign for it.
        try await phone.client.operations.deviceInformationChange.name("other").perform()
        #expect(phone.backend.devices.records.map(\.name) == ["other"])
        // There is a record now, and another one is not asked for.
        phone.backend.script { $0.aaids = ["F1D0#1005"] }
        let user = await TestUser(pins: ["correct horse"], aaid: "F1D0#1005")
        try await phone.registration("jeff", user).perform()
        #expect(phone.backend.requests(to: "/token/dispatch/targets/").count == 1)
    }

    @Test("What the server issued for a registration speaks for the device, before what allowed it")
    func issuedAuthorization() async throws {
        let phone = try await TestPhone()
        phone.backend.script {
            $0.devices.takesProposals = false
            $0.devices.requiredAuthorization = "Bearer x.y.z"
            $0.tokens = [Token(type: .jwt, value: "x.y.z")]
        }
        let person = await TestUser(pins: ["482915"])
        try await phone.registration("jeff", person).authorizationProvider(JwtAuthorizationProvider("a.b.c")).perform()
        #expect(phone.client.localData.deviceInformation?.idUsernamePairs.count == 1)
    }

    @Test("A record that the server refuses leaves the registration, and the next one asks again")
    func refusedRecord() async throws {
        let phone = try await TestPhone()
        phone.backend.script {
            $0.devices.takesProposals = false
            $0.devices.requiredAuthorization = "Bearer a.b.c"
        }
        try await phone.register()
        #expect(phone.usernames == ["jeff"])
        #expect(phone.client.localData.deviceInformation?.idUsernamePairs.isEmpty == true)
        phone.backend.script {
            $0.devices.requiredAuthorization = nil
            $0.aaids = ["F1D0#1005"]
        }
        let user = await TestUser(pins: ["correct horse"], aaid: "F1D0#1005")
        try await phone.registration("jeff", user).perform()
        #expect(phone.client.localData.deviceInformation?.idUsernamePairs.count == 1)
    }

    @Test("A server that knows no devices registers all the same, and the account gets its record later")
    func oldServer() async throws {
        let phone = try await TestPhone()
        phone.backend.script { $0.devices.isSupported = false }
        try await phone.register()
        #expect(phone.client.localData.deviceInformation?.idUsernamePairs.isEmpty == true)
        phone.backend.script {
            $0.devices.isSupported = true
            $0.aaids = ["F1D0#1005"]
        }
        let user = await TestUser(pins: ["correct horse"], aaid: "F1D0#1005")
        try await phone.registration("jeff", user).perform()
        #expect(phone.client.localData.deviceInformation?.idUsernamePairs.count == 1)
    }

    @Test("With the last authenticator the record goes, and the keys of the device once the server knows")
    func removal() async throws {
        let phone = try await phone(["jeff", "anna"])
        try await phone.client.localData.removeAuthenticator(username: "jeff", aaid: nil)
        #expect(phone.client.localData.deviceInformation?.idUsernamePairs.map(\.username) == ["anna"])
        #expect(try await phone.environment.store.snapshot().deviceKeys.count == 1)
        let before = try await phone.environment.store.snapshot().deviceKeys
        try await phone.client.localData.removeAuthenticator(username: "anna", aaid: nil)
        #expect(phone.client.localData.deviceInformation == nil)
        #expect(try await phone.environment.store.snapshot().deviceKeys == before)
        for username in ["anna", "jeff"] {
            try await phone.client.operations.deregistration.username(username)
                .authorizationProvider(JwsAuthorizationProvider()).perform()
        }
        #expect(phone.backend.devices.records.isEmpty)
        #expect(try await phone.environment.store.snapshot().deviceKeys.isEmpty)
        try await phone.register()
        #expect(try await phone.environment.store.snapshot().deviceKeys != before)
    }

    @Test("A registration that the server refuses leaves no keys of the device")
    func refusedRegistration() async throws {
        let phone = try await TestPhone()
        phone.backend.script { $0.faults["/uaf/1.1/registration/"] = .uafStatus(.unacceptableContent) }
        await #expect(throws: OperationError.self) { try await phone.register() }
        #expect(try await phone.environment.store.snapshot().deviceKeys.isEmpty)
        #expect(phone.client.localData.deviceInformation == nil)
    }

    @Test(
        "Attack A-18, N-L15: two servers of one device see other keys and identifiers, which go out with a registration only"
    )
    func linkability() async throws {
        let phone = try await TestPhone()
        let first = try Fixtures().server
        let second = ServerAddress(try Fixtures.unwrap(URL(string: "https://other.example/nevisfido")))
        try await phone.register()
        let id = try Fixtures.unwrap(phone.client.localData.deviceInformation?.deviceId)
        let bodies = phone.backend.requests.filter { !$0.url.hasSuffix("/uaf/1.1/registration/") }
        #expect(bodies.allSatisfy { !String(decoding: $0.body, as: UTF8.self).contains(id) })
        let one = try await phone.environment.store.prepareDevice(for: first, nil)
        let other = try await phone.environment.store.prepareDevice(for: second, nil)
        #expect(Set([one.keys.signing, one.keys.agreement, other.keys.signing, other.keys.agreement]).count == 4)
        #expect(one.information.deviceId != other.information.deviceId)
        await phone.client.localData.refresh()
        let told = String(decoding: try JSONEncoder().encode(phone.client.localData.deviceInformation), as: UTF8.self)
        let elsewhere = try Fixtures.unwrap(other.information.deviceId)
        #expect(told.contains("\"phone\"") && !told.contains(elsewhere.suffix(32)), "an application may pass it on")
    }

    @Test("N-L15: a server of an old registration keeps the identifier that it knows; another server gets its own")
    func oldIdentifier() async throws {
        let phone = try await phone()
        let first = try Fixtures().server
        let other = ServerAddress(try Fixtures.unwrap(URL(string: "https://other.example/nevisfido")))
        let old = DeviceInformation(
            name: "phone", fcmRegistrationToken: nil, deviceId: "old",
            idUsernamePairs: [IdUsernamePair(identifier: "target-1", username: "jeff")])
        let octets = try Fixtures.unwrap(old.storedForm)
        try await phone.authenticators.update { $0.remember(deviceInformation: octets) }
        let store = phone.environment.store
        #expect(try await store.prepareDevice(for: first, nil).information.deviceId == "old")
        let id = try Fixtures.unwrap(try await store.prepareDevice(for: other, nil).information.deviceId)
        #expect(id != "old")
        let device = try await store.snapshot()
        #expect(device.deviceID(at: first)?.text == "old" && device.deviceID(at: other)?.text == id)
        try await phone.client.localData.removeAuthenticator(username: "jeff", aaid: nil)
        #expect(try await store.snapshot().deviceID(at: first)?.text == "old")
    }

    @Test("After a lost answer the next registration brings its own name, and the account has one record here")
    func lostAnswer() async throws {
        let phone = try await TestPhone()
        phone.backend.script { $0.faults["/uaf/1.1/registration/"] = .lostAnswer }
        await #expect(throws: OperationError.self) { try await phone.register() }
        #expect(phone.client.localData.deviceInformation == nil)
        phone.backend.script {
            $0.faults = [:]
            $0.keys = []
        }
        try await phone.registration("jeff", await TestUser(pins: ["482915"]))
            .deviceInformation(DeviceInformation(name: "second try")).perform()
        #expect(phone.client.localData.deviceInformation?.name == "second try")
        #expect(phone.client.localData.deviceInformation?.idUsernamePairs.map(\.identifier) == ["target-2"])
        let records = phone.backend.devices.records
        #expect(records.count == 2 && records[0].deviceID == records[1].deviceID)
        let result = await phone.client.operations.deviceInformationCheck.perform()
        #expect(result.mismatches.count == 2)
        let end = await phone.client.operations.deviceInformationSync.mismatches(result.mismatches).perform()
        #expect(end.errors.isEmpty && phone.backend.devices.records.map(\.id) == ["target-2"])
    }

    // MARK: - Change

    @Test("A change reaches every record and then this device; push messages go off and on")
    func change() async throws {
        let phone = try await phone(["jeff", "anna"])
        let operations = phone.client.operations
        try await operations.deviceInformationChange.name("new name").disablePushNotifications().perform()
        #expect(phone.backend.devices.records.map(\.name) == ["new name", "new name"])
        #expect(phone.backend.devices.records.map(\.destination) == [.disabledByUser, .disabledByUser])
        #expect(phone.client.localData.deviceInformation?.name == "new name")
        #expect(phone.client.localData.deviceInformation?.fcmRegistrationToken == nil)
        try await operations.deviceInformationChange.disablePushNotifications().fcmRegistrationToken("push-2").perform()
        #expect(phone.backend.devices.records.map(\.destination) == [.token("push-2"), .token("push-2")])
        #expect(phone.client.localData.deviceInformation?.fcmRegistrationToken == "push-2")
    }

    @Test("A change of nothing is a success without a request")
    func noChange() async throws {
        let phone = try await phone()
        let count = phone.backend.requests.count
        try await phone.client.operations.deviceInformationChange.perform()
        #expect(phone.backend.requests.count == count)
    }

    @Test("A name that is taken, an unknown record and nothing at all have errors of their own; nothing changes here")
    func changeErrors() async throws {
        let phone = try await phone()
        phone.backend.script { $0.devices.takenNames = ["taken"] }
        await #expect {
            try await phone.client.operations.deviceInformationChange.name("taken").perform()
        } throws: { error in
            if case DeviceInformationChangeError.NameAlreadyExists = error { true } else { false }
        }
        #expect(phone.client.localData.deviceInformation?.name == "phone")
        phone.backend.script { $0.devices.records = [] }
        for name in ["other", "one more"] {
            await #expect {
                try await phone.client.operations.deviceInformationChange.name(name).perform()
            } throws: { error in
                if case DeviceInformationChangeError.NotFound = error { true } else { false }
            }
        }
        let empty = try await TestPhone()
        await #expect {
            try await empty.client.operations.deviceInformationChange.name("x").perform()
        } throws: { error in
            if case DeviceInformationChangeError.NotFound(cause: nil) = error { true } else { false }
        }
        await #expect {
            try await phone.client.operations.deviceInformationChange.name("").perform()
        } throws: { error in
            (error as? DeviceInformationChangeError)?.cause as? InvalidParameterError == InvalidParameterError("name")
        }
    }

    @Test("A change is refused by its time, told by the code or by the date alone")
    func clockSkew() async throws {
        let phone = try await phone()
        phone.backend.script { $0.devices.now = 0 }
        await #expect {
            try await phone.client.operations.deviceInformationChange.name("x").perform()
        } throws: { error in
            if case DeviceInformationChangeError.ClockSkewTooBig = error { true } else { false }
        }
        let old = BackendResponse(status: 401, headers: [HeaderFields.Field("Date", "Sun, 06 Nov 1994 08:49:37 GMT")])
        #expect(ClockSkewError(old, now: 784_111_777 + 130)?.secondsAhead == 130)
        #expect(ClockSkewError(old, now: 784_111_777 - 310)?.secondsAhead == -310)
        #expect(ClockSkewError(old, now: 784_111_777 - 200) == nil)
        #expect(ClockSkewError(BackendResponse(status: 401), now: 0) == nil)
        #expect(ClockSkewError(BackendResponse(status: 403), now: 0) == nil)
    }

    @Test("A retry comes after its wait and is a request of its own")
    func retry() async throws {
        let phone = try await phone()
        let id = try #require(phone.backend.devices.records.first?.id)
        let path = "/token/dispatch/targets/\(id)"
        phone.backend.script { $0.faults[path] = .lostAnswer }
        async let end: Void = phone.client.operations.deviceInformationChange.name("x")
            .retryPolicy(.constant(maxRetries: 1, delayInSeconds: 5)).perform()
        while phone.clock.sleeperCount == 0 { await Task.yield() }
        phone.backend.script { $0.faults[path] = nil }
        await phone.clock.advance(by: .seconds(5))
        try await end
        #expect(phone.backend.requests(to: path).count == 2)
        #expect(phone.backend.devices.requestIDs.count == Set(phone.backend.devices.requestIDs).count)
        #expect(phone.client.localData.deviceInformation?.name == "x")
    }

    // MARK: - Pending operations

    private func entry(_ token: String, at time: Int64, _ dispatcher: DispatcherName) -> PendingOperations.Entry {
        let content = OutOfBandContent(
            token: token, redeemURL: ScriptedBackend.address + "/token/redeem/authentication")
        return PendingOperations.Entry(
            dispatchTargetID: "target-1", creationTime: time, dispatcher: dispatcher,
            additionalInformation: #"{"title":"Confirm"}"#, payload: OutOfBandEnvelope(.plain(content)))
    }

    @Test("What waits is listed, the newest first, and leads to an operation")
    func pending() async throws {
        let phone = try await phone()
        phone.backend.script {
            $0.devices.pending = [
                entry("old", at: 1000, .linkPNGQRCode), entry("new", at: 2000, .firebaseCloudMessaging),
                entry("odd", at: 1500, DispatcherName(rawValue: "pigeon")),
            ]
            $0.operations = ["new": .authentication]
        }
        let result = await phone.client.operations.pendingOutOfBandOperations.perform()
        #expect(result.errors.isEmpty)
        #expect(result.operations.map(\.dispatchChannel) == [.firebase, .other("pigeon"), .png])
        let newest = try #require(result.operations.first)
        #expect(newest.creationTime == Date(timeIntervalSince1970: 2))
        #expect(newest.additionalInformation.contains("Confirm"))
        guard
            case .authentication = try await phone.client.operations.outOfBandOperation.payload(newest.payload)
                .perform()
        else {
            Issue.record("no authentication")
            return
        }
    }

    @Test("Without an authenticator no question is asked; a record that is gone is Forbidden, an old server is named")
    func pendingErrors() async throws {
        let empty = try await TestPhone()
        let nothing = await empty.client.operations.pendingOutOfBandOperations.perform()
        #expect(nothing.operations.isEmpty && nothing.errors.isEmpty && empty.backend.requests.isEmpty)
        let phone = try await phone()
        phone.backend.script { $0.devices.records = [] }
        let gone = await phone.client.operations.pendingOutOfBandOperations.perform()
        guard case .Forbidden(let server, _)? = gone.errors.first else {
            Issue.record("\(gone.errors)")
            return
        }
        #expect(server.baseUrl.absoluteString == ScriptedBackend.address)
        phone.backend.script { $0.devices.isSupported = false }
        let old = await phone.client.operations.pendingOutOfBandOperations.perform()
        guard case .OperationNotSupportedByBackend? = old.errors.first else {
            Issue.record("\(old.errors)")
            return
        }
    }
}
