import CommandSupport
import DemoCommands
import Foundation
import MobileAuthentication
import MobileAuthenticationTestKit
import Testing

@Suite("A server that takes no device with a registration", .serialized)
struct RegistrationOnlyServerTests {
    /// What a virtual clock shows at first: the beginning of 2026.
    private static let virtualBeginning: TimeInterval = 1_767_225_600

    @Test("It is asked for a record with what the user may do, and takes the device's signature from then on")
    func fallback() async throws {
        let installation = try Installation(settings: "authorization: {registration: none}\n")
        let server = try await installation.server.start()
        defer { server.kill() }
        try await installation.server.addUser("anna", password: Installation.password)
        let phone = try await phone(of: installation)
        let (pin, password) = (ScriptedUser(authenticator: .Pin), ScriptedUser(authenticator: .Password))
        // Nothing allows the first registration, so the server makes no record for it; the registration stays.
        try await registration(on: phone).authenticatorSelector(pin).pinEnroller(pin).perform()
        #expect(phone.client.localData.accounts.map(\.username) == ["anna"])
        #expect(phone.client.localData.deviceInformation?.idUsernamePairs.isEmpty == true)
        let session = try #require(
            try await phone.client.operations.authentication.username("anna").authenticatorSelector(pin)
                .pinUserVerifier(pin).perform())
        try await registration(on: phone).authorizationProvider(session).authenticatorSelector(password)
            .passwordEnroller(password).perform()
        #expect(phone.client.localData.deviceInformation?.idUsernamePairs.map(\.username) == ["anna"])
        try await phone.client.operations.deviceInformationChange.name("another name").perform()
        #expect(phone.client.localData.deviceInformation?.name == "another name")
    }

    private func registration(on phone: TestPhone) -> any Registration {
        phone.client.operations.registration.username("anna").deviceInformation(DeviceInformation(name: "phone"))
    }

    private func phone(of installation: Installation) async throws -> TestPhone {
        let configuration = try LinuxApplication.configuration(for: [installation])
        let network = RegistrationOnlyTransport(network: try NetworkTransport(for: configuration))
        let phone = try await TestPhone(
            configuration, over: network, TestPhone.Traits(profile: .linux, application: "org.signet.demo"))
        // What the device signs carries a time, and the server has the real one.
        let clock = Duration.seconds(Date().timeIntervalSince1970 - Self.virtualBeginning)
        phone.clock.setWallClock(by: clock)
        return phone
    }
}
