import DemoCommands
import Foundation
import HardwareKeys
import MobileAuthentication
import MobileAuthenticationTestKit

/// An application on Linux, made of nothing but what the SDK offers in public.
struct LinuxApplication {
    let client: any MobileAuthenticationClient
    let user = ScriptedUser(authenticator: .Pin)

    /// Starts the application on software keys, or on the keys of a source, for servers of which the first is configured.
    init(in folder: URL, keysFrom source: (some KeyVaultSource)?, for servers: [Installation]) async throws {
        let initializer = try Self.initializer(in: folder, for: servers)
        if let source { initializer.keyVault(source) } else { initializer.keyVault(.software) }
        client = try await initializer.perform()
    }

    /// Everything but the keys.
    static func initializer(
        in folder: URL, for servers: [Installation]
    ) throws -> MobileAuthenticationClientInitializer {
        MobileAuthenticationClientInitializer().configuration(try configuration(for: servers)).storeDirectory(folder)
            .profile(.linux(applicationID: "org.signet.demo"))
    }

    /// The configuration for servers of which the first is configured and all are trusted.
    static func configuration(for servers: [Installation]) throws -> Configuration {
        let suite = Configuration(idSuiteHostname: "localhost")
        var configuration = Configuration(
            baseUrl: try address(of: servers[0]), registrationRequestPath: suite.registrationRequestPath,
            registrationResponsePath: suite.registrationResponsePath,
            authenticationRequestPath: suite.authenticationRequestPath,
            authenticationResponsePath: suite.authenticationResponsePath,
            deregistrationRequestPath: suite.deregistrationRequestPath,
            dispatchTargetResourcePath: suite.dispatchTargetResourcePath,
            deviceResourcePath: suite.deviceResourcePath)
        configuration.additionalTrustedCertificates = try servers.flatMap { try $0.authorities() }
        return configuration
    }

    /// The base address of a server.
    static func address(of server: Installation) throws -> URL {
        guard let url = URL(string: server.server.address) else { throw URLError(.badURL) }
        return url
    }

    /// Registers the PIN of a user, with the configured server or another one.
    func register(_ name: String, at server: URL? = nil) async throws {
        let operation = client.operations.registration.username(name)
            .deviceInformation(DeviceInformation(name: "workstation")).authenticatorSelector(user).pinEnroller(user)
        if let server { operation.serverUrl(server) }
        try await operation.perform()
    }

    /// Signs a user in.
    @discardableResult
    func authenticate(_ name: String) async throws -> (any AuthorizationProvider)? {
        try await client.operations.authentication.username(name).authenticatorSelector(user).pinUserVerifier(user)
            .perform()
    }
}
