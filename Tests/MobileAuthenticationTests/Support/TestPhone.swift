import Authenticators
import BackendTransport
import Foundation
import HardwareKeys
import UAF

@testable import MobileAuthentication

/// The SDK on real software keys in a folder of its own, with a cheap key derivation and a scripted server.
final class TestPhone: Sendable {
    let backend = ScriptedBackend()
    let clock = ManualClock()
    let client: any MobileAuthenticationClient
    let environment: ClientEnvironment
    private let folder: URL

    init(_ address: String = ScriptedBackend.address, logger: (any SDKLogger)? = nil) async throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "sdk-\(UUID().uuidString)")
        let path = folder.path(percentEncoded: false)
        let vault = try SoftwareKeyVault.create(inDirectory: path)
        let store = try await EncryptedFileCredentialStore.open(inDirectory: path, sealedBy: vault)
        let cost = try ScryptCost(rounds: 16, blockSize: 8, parallelism: 1)
        let facetID = try Fixtures.unwrap(FacetID("ios:bundle-id:com.example.app"))
        let authenticators = LocalAuthenticators(
            AuthenticatorPorts(
                store: store, vault: vault, secretProtection: SecretProtection(cost: cost, leastRounds: 16)),
            profile: .iOS, facetID: facetID)
        var ports = ClientPorts(facetID: facetID, store: authenticators, transport: backend)
        ports.clock = clock
        ports.logger = logger
        let configuration = Configuration(baseUrl: try Fixtures.unwrap(URL(string: address)))
        let running = try await RunningClient(configuration, ports)
        client = running
        environment = running.environment
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Registers the PIN authenticator of a user.
    func register(_ username: String = "jeff", pin: String = "482915", user: TestUser? = nil) async throws {
        let person = await MainActor.run { user ?? TestUser(pins: [pin]) }
        try await client.operations.registration.username(username)
            .deviceInformation(DeviceInformation(name: "phone"))
            .authenticatorSelector(person).pinEnroller(person).perform()
    }

    /// Authenticates a user.
    func authenticate(
        _ username: String = "jeff", pins: [String] = ["482915"]
    ) async throws -> (any AuthorizationProvider)? {
        let person = await TestUser(pins: pins)
        return try await client.operations.authentication.username(username)
            .authenticatorSelector(person).pinUserVerifier(person).perform()
    }

    var usernames: [String] { client.localData.accounts.map(\.username) }
}
