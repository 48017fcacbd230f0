import CommandSupport
import DemoCommands
import DocumentListings
import MobileAuthentication
import MobileAuthenticationTestKit
import Testing

@Suite("The listings about pretended phones, run against a server", .serialized)
struct TestKitListingTests {
    @Test("D-H3: a phone registers, a user types wrong twice, and an answer is lost")
    @MainActor
    func phone() async throws {
        let installation = try Installation(
            settings: """
                authorization: {registration: none}
                fido-uaf:
                  facets: ["ios:bundle-id:com.example.app"]

                """)
        let server = try await installation.server.start()
        defer { server.kill() }
        try await installation.server.addUser("anna", password: Installation.password)
        let configuration = try LinuxApplication.configuration(for: [installation])
        let phone = try await TestKitListings.phone(configuration)
        #expect(phone.client.localData.accounts.map(\.username) == ["anna"])
        #expect(try await TestKitListings.user(phone) == 3)
        let (other, network) = try await TestKitListings.network(configuration)
        let user = ScriptedUser(clock: other.clock)
        await #expect(throws: OperationError.self) {
            try await other.client.operations.registration.username("anna")
                .deviceInformation(DeviceInformation(name: "other")).authenticatorSelector(user).pinEnroller(user)
                .perform()
        }
        #expect(network.requests.count == 1)
    }
}
