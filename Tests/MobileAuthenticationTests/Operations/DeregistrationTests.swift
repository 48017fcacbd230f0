import BackendAPI
import BackendTransport
import Foundation
import MobileAuthenticationTestKit
import Testing
import UAF

@testable import MobileAuthentication

@Suite("Deregistration against a server, and local deletion")
struct DeregistrationTests {
    private func registeredPhone() async throws -> TestPhone {
        let phone = try await TestPhone()
        try await phone.register()
        return phone
    }

    @Test("Deregistration removes account, keys and device information")
    func success() async throws {
        let phone = try await registeredPhone()
        try await phone.client.operations.deregistration.username("jeff").perform()
        #expect(phone.usernames.isEmpty)
        #expect(phone.backend.keys.isEmpty)
        #expect(phone.client.localData.deviceInformation == nil)
        try await phone.register()
        #expect(phone.usernames == ["jeff"])
    }

    private static let question = "/uaf/1.1/request/deregistration/"

    /// Requests of the phone that its own key has signed.
    private func signedRequests(_ phone: TestPhone) -> [BackendRequest] {
        phone.backend.requests.filter { $0.url.contains("/devices/credentials/") }
    }

    @Test(
        "G-2: without a provider and with the empty one the device signs once the server demands an authorization",
        arguments: [nil, EmptyAuthorizationProvider()])
    func unauthorized(provider: EmptyAuthorizationProvider?) async throws {
        let phone = try await registeredPhone()
        let operation = phone.client.operations.deregistration.username("jeff").aaid("F1D0#1001")
        if let provider { operation.authorizationProvider(provider) }
        try await operation.perform()
        #expect(phone.usernames.isEmpty && phone.backend.keys.isEmpty && phone.backend.devices.records.isEmpty)
        #expect(phone.backend.requests(to: Self.question).count == 1)
        #expect(signedRequests(phone).map(\.method) == [.patch])
    }

    @Test("G-2: a server without device services has the last word with its 401, and nothing goes")
    func noDeviceServices() async throws {
        let phone = try await registeredPhone()
        phone.backend.script { $0.devices.isSupported = false }
        let error = await #expect(throws: OperationError.self) {
            try await phone.client.operations.deregistration.username("jeff").perform()
        }
        #expect((error?.cause as? HTTPStatusError)?.statusCode == 401)
        #expect(phone.usernames == ["jeff"] && phone.backend.keys.count == 1)
    }

    @Test(
        "G-2: a proxy that answers 401 to everything takes no key away, whether the device signs at once or later",
        arguments: [nil, JwsAuthorizationProvider()])
    func proxy(provider: JwsAuthorizationProvider?) async throws {
        let phone = try await registeredPhone()
        #expect(await phone.client.operations.deviceInformationCheck.perform().errors.isEmpty)
        let devices = try #require(signedRequests(phone).first).url.dropFirst(ScriptedBackend.address.count)
        phone.backend.script { $0.faults = [Self.question: .httpStatus(401), String(devices): .httpStatus(401)] }
        let operation = phone.client.operations.deregistration.username("jeff")
        if let provider { operation.authorizationProvider(provider) }
        let error = await #expect(throws: OperationError.self) { try await operation.perform() }
        #expect((error?.cause as? HTTPStatusError)?.statusCode == 401)
        #expect(phone.usernames == ["jeff"] && phone.backend.keys.count == 1)
    }

    @Test("G-14: a login of the user in a cookie or a token removes the key; the device signs nothing")
    func logins() async throws {
        for provider in [try Self.cookie("a.b.c"), JwtAuthorizationProvider("a.b.c")] as [any AuthorizationProvider] {
            let phone = try await registeredPhone()
            try await phone.client.operations.deregistration.username("jeff").authorizationProvider(provider).perform()
            #expect(phone.usernames.isEmpty && phone.backend.keys.isEmpty && signedRequests(phone).isEmpty)
        }
    }

    @Test("G-14: a login that does not hold, or of another user, is refused; the device does not sign in its place")
    func foreignLogins() async throws {
        let phone = try await registeredPhone()
        phone.backend.script { $0.logins = ["a.b.c": "anna"] }
        for value in ["a.b.c", "d.e.f"] {
            for provider in [try Self.cookie(value), JwtAuthorizationProvider(value)] as [any AuthorizationProvider] {
                await #expect(throws: OperationError.self) {
                    try await phone.client.operations.deregistration.username("jeff").authorizationProvider(provider)
                        .perform()
                }
            }
        }
        #expect(phone.usernames == ["jeff"] && phone.backend.keys.count == 1 && signedRequests(phone).isEmpty)
    }

    private static func cookie(_ value: String) throws -> CookieAuthorizationProvider {
        let cookie = HTTPCookie(properties: [
            .name: "login", .value: value, .domain: "server.example", .path: "/", .secure: "TRUE",
        ])
        return CookieAuthorizationProvider([try #require(cookie)])
    }

    @Test("G-14: a cookie authorizes a registration")
    func registrationWithCookie() async throws {
        let phone = try await TestPhone()
        let person = await TestUser(pins: ["482915"])
        for (value, isRefused) in [("d.e.f", true), ("a.b.c", false)] {
            let operation = phone.registration("jeff", person).authorizationProvider(try Self.cookie(value))
            if isRefused {
                await #expect(throws: OperationError.self) { try await operation.perform() }
            } else {
                try await operation.perform()
            }
        }
        #expect(phone.usernames == ["jeff"])
    }

    @Test("A key that the server has forgotten is removed here as well")
    func forgotten() async throws {
        let phone = try await registeredPhone()
        phone.backend.script { $0.keys = [] }
        try await phone.client.operations.deregistration.username("jeff").aaid("F1D0#1001").perform()
        #expect(phone.usernames.isEmpty)
    }

    @Test("A server that cannot be reached leaves everything as it was")
    func unreachable() async throws {
        let phone = try await registeredPhone()
        phone.backend.script { $0.faults["/uaf/1.1/request/deregistration/"] = .failure(.noConnection) }
        let error = await #expect(throws: OperationError.self) {
            try await phone.client.operations.deregistration.username("jeff").perform()
        }
        #expect((error?.cause as? URLError)?.code == .cannotConnectToHost)
        #expect(phone.usernames == ["jeff"])
    }

    @Test("Local deletion forgets the keys, asks no question and accepts unknown users")
    func localDeletion() async throws {
        let phone = try await registeredPhone()
        let count = phone.backend.requests.count
        try await phone.client.localData.removeAuthenticator(username: "absent", aaid: nil)
        #expect(phone.usernames == ["jeff"])
        try await phone.client.localData.removeAuthenticator(username: "jeff", aaid: "F1D0#1005")
        #expect(phone.usernames == ["jeff"])
        try phone.client.localData.deleteAuthenticator(username: "jeff", aaid: "F1D0#1001")
        #expect(phone.usernames.isEmpty)
        #expect(phone.backend.requests.count == count)
    }

    @Test("D-M9: local deletion destroys the keys at once, in its synchronous form too", arguments: [true, false])
    func localKeys(isSynchronous: Bool) async throws {
        let phone = try await registeredPhone()
        let before = phone.keyFiles
        if isSynchronous {
            try phone.client.localData.deleteAuthenticator(username: "jeff", aaid: nil)
        } else {
            try await phone.client.localData.removeAuthenticator(username: "jeff", aaid: nil)
        }
        #expect(phone.keyFiles.count == before.count - 1, "only the device's stay until the server knows (O-H5)")
        #expect(Set(phone.keyFiles).isSubset(of: before))
    }

    @Test("D-M9: the main actor, too, can delete, although the vault works on other threads")
    func localKeysOnMainActor() async throws {
        let phone = try await registeredPhone()
        let count = phone.keyFiles.count
        try await MainActor.run { try phone.client.localData.deleteAuthenticator(username: "jeff", aaid: nil) }
        #expect(phone.keyFiles.count == count - 1)
    }

    @Test("An AAID that is none is refused")
    func invalidAaid() async throws {
        let phone = try await registeredPhone()
        #expect(throws: DeleteAuthenticatorError.self) {
            try phone.client.localData.deleteAuthenticator(username: "jeff", aaid: "PIN")
        }
    }
}
