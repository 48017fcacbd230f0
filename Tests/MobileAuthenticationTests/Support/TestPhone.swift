import Authenticators
import BackendTransport
import Foundation
import HardwareKeys
import MobileAuthenticationTestKit
import UAF

@testable import MobileAuthentication
@testable import UAFClient

/// The SDK on real software keys in a folder of its own, with a cheap key derivation and a scripted server.
final class TestPhone: Sendable {
    /// What the phone is and has.
    struct Equipment: Sendable {
        var profile = DeviceProfile.iOS
        var presence: TestPresence?
        var lock = TestLock()
        var logger: (any SDKLogger)?
        var coolDowns = TestCoolDowns()
        var installationID: String?
        /// Provider of statements about the application.
        var attestation: (any AppAttestationProvider)?
        var protection = DeviceProtection.none
        var networkTimeout = Configuration.defaultNetworkTimeout
        /// The phone whose files and server the application has after another start.
        var before: TestPhone?
        /// What stands between the SDK and its keys.
        var guise: @Sendable (any KeyVault) -> any KeyVault = { $0 }
    }

    let backend: ScriptedBackend
    let clock = ManualClock()
    let client: any MobileAuthenticationClient
    let environment: ClientEnvironment
    let authenticators: LocalAuthenticators
    let lock: TestLock
    let coolDowns: TestCoolDowns
    let folder: URL
    private let isRestarted: Bool

    init(
        _ address: String = ScriptedBackend.address, logger: (any SDKLogger)? = nil,
        _ change: (inout Equipment) -> Void = { _ in }
    ) async throws {
        var equipment = Equipment(logger: logger)
        change(&equipment)
        lock = equipment.lock
        coolDowns = equipment.coolDowns
        isRestarted = equipment.before != nil
        backend = equipment.before?.backend ?? ScriptedBackend()
        folder =
            equipment.before?.folder
            ?? FileManager.default.temporaryDirectory.appending(path: "sdk-\(UUID().uuidString)")
        let facetID = try Fixtures.unwrap(FacetID("ios:bundle-id:com.example.app"))
        let parts = try await Self.parts(folder.path(percentEncoded: false), equipment)
        authenticators = LocalAuthenticators(
            parts, profile: equipment.profile, facetID: facetID, installationID: equipment.installationID)
        var ports = ClientPorts(facetID: facetID, store: authenticators, transport: backend)
        ports.clock = clock
        ports.profile = equipment.profile
        ports.logger = equipment.logger
        ports.attestation = equipment.attestation
        ports.protection = equipment.protection
        let configuration = Configuration(
            baseUrl: try Fixtures.unwrap(URL(string: address)), networkTimeoutInSeconds: equipment.networkTimeout)
        let running = try await RunningClient(configuration, ports)
        client = running
        environment = running.environment
    }

    private static func parts(_ path: String, _ equipment: Equipment) async throws -> AuthenticatorPorts {
        let vault =
            equipment.before == nil
            ? try await SoftwareKeyVault.create(inDirectory: path) : try await SoftwareKeyVault.open(inDirectory: path)
        let store = try await SecureStorageCredentialStore.open(inDirectory: path, sealedBy: vault)
        let cost = try ScryptCost(rounds: 16, blockSize: 8, parallelism: 1)
        var parts = AuthenticatorPorts(
            store: store, vault: equipment.guise(vault), clock: equipment.coolDowns,
            secretProtection: SecretProtection(cost: cost, leastRounds: 16))
        parts.presence = equipment.presence
        parts.deviceLock = equipment.lock
        if let presence = equipment.presence { parts.platform = presence }
        return parts
    }

    /// The names of the files that hold keys.
    var keyFiles: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false) + "/keys")) ?? []
    }

    private var storeLock: URL { folder.appending(path: "credentials.lock") }

    /// From now on nothing can be written: the lock of the store cannot be taken.
    func obstructWriting() throws {
        try FileManager.default.removeItem(at: storeLock)
        try FileManager.default.createDirectory(at: storeLock, withIntermediateDirectories: false)
    }

    func allowWriting() throws { try FileManager.default.removeItem(at: storeLock) }

    deinit { if !isRestarted { try? FileManager.default.removeItem(at: folder) } }

    /// Registers an authenticator of a user, the PIN's unless the user chooses another.
    func register(_ username: String = "jeff", pin: String = "482915", user: TestUser? = nil) async throws {
        let person = await MainActor.run { user ?? TestUser(pins: [pin]) }
        try await registration(username, person).perform()
    }

    /// A registration that asks a user whatever there is to ask.
    func registration(_ username: String = "jeff", _ person: TestUser) -> any Registration {
        client.operations.registration.username(username).deviceInformation(DeviceInformation(name: "phone"))
            .authenticatorSelector(person).pinEnroller(person).passwordEnroller(person).biometricUserVerifier(person)
            .devicePasscodeUserVerifier(person).fingerprintUserVerifier(person)
    }

    /// Authenticates a user.
    func authenticate(
        _ username: String = "jeff", pins: [String] = ["482915"], user: TestUser? = nil
    ) async throws -> (any AuthorizationProvider)? {
        let person = await MainActor.run { user ?? TestUser(pins: pins) }
        return try await authentication(username, person).perform()
    }

    /// An authentication that asks a user whatever there is to ask.
    func authentication(_ username: String = "jeff", _ person: TestUser) -> any Authentication {
        client.operations.authentication.username(username)
            .authenticatorSelector(person).pinUserVerifier(person).passwordUserVerifier(person)
            .biometricUserVerifier(person).devicePasscodeUserVerifier(person).fingerprintUserVerifier(person)
    }

    var usernames: [String] { client.localData.accounts.map(\.username) }

    /// One of the five authenticators.
    func authenticator(_ kind: AuthenticatorAaid) throws -> any Authenticator {
        try Fixtures.unwrap(client.localData.authenticators.first { AuthenticatorAaid(rawValue: $0.aaid) == kind })
    }
}
