import Authenticators
import BackendTransport
import DemoCommands
import Foundation
import HardwareKeys
import MobileAuthentication
import MobileAuthenticationTestKit
import UAF

/// SDK on software keys in a folder, with a real server, and a stopwatch on every part that is not the SDK's own work.
struct BenchmarkPhone {
    let client: any MobileAuthenticationClient
    let watches: Stopwatches

    /// Creates a phone whose PINs are derived with the cost of `protection`.
    init(folder: URL, server: LocalServer, _ protection: SecretProtection) async throws {
        let watches = Stopwatches()
        let path = folder.path()
        let vault = try await SoftwareKeyVault.create(inDirectory: path)
        let store = try await SecureStorageCredentialStore.open(inDirectory: path, sealedBy: vault)
        let enclave = FakeEnclave()
        var ports = AuthenticatorPorts(
            store: TimedStore(store: store, watch: watches.disk),
            vault: TimedVault(vault: vault, watch: watches.hardware),
            secretProtection: protection)
        ports.presence = enclave
        ports.platform = enclave
        guard let facetID = FacetID("ios:bundle-id:org.signet.demo"), let base = URL(string: server.address) else {
            throw BenchmarkFailure.badConstant
        }
        self.watches = watches
        let clientPorts = ClientPorts(
            facetID: facetID, store: LocalAuthenticators(ports, profile: .iOS, facetID: facetID),
            transport: TimedTransport(transport: try server.transport(), watch: watches.network))
        client = try await MobileAuthenticationClientInitializer.client(
            for: Self.configuration(base), on: clientPorts)
    }

    private static func configuration(_ base: URL) -> Configuration {
        let suite = Configuration(idSuiteHostname: "localhost")
        return Configuration(
            baseUrl: base, registrationRequestPath: suite.registrationRequestPath,
            registrationResponsePath: suite.registrationResponsePath,
            authenticationRequestPath: suite.authenticationRequestPath,
            authenticationResponsePath: suite.authenticationResponsePath,
            deregistrationRequestPath: suite.deregistrationRequestPath)
    }

    // MARK: - Operations

    func register(_ name: String, _ user: TimedUser, finger: Bool) async throws {
        let operation = client.operations.registration.username(name)
            .deviceInformation(DeviceInformation(name: "benchmark")).authenticatorSelector(user)
        if finger { operation.biometricUserVerifier(user) } else { operation.pinEnroller(user) }
        try await operation.perform()
    }

    func authenticate(
        _ name: String, _ user: TimedUser, finger: Bool
    ) async throws -> (any AuthorizationProvider)? {
        let operation = client.operations.authentication.username(name).authenticatorSelector(user)
        if finger { operation.biometricUserVerifier(user) } else { operation.pinUserVerifier(user) }
        return try await operation.perform()
    }

    func changePin(_ name: String, _ user: TimedUser) async throws {
        try await client.operations.pinChange.username(name).pinChanger(user).perform()
    }

    func deregister(_ name: String, _ right: (any AuthorizationProvider)?) async throws {
        let operation = client.operations.deregistration.username(name)
        if let right { operation.authorizationProvider(right) }
        try await operation.perform()
    }
}
