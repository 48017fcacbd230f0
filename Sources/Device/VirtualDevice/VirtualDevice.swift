package import Authenticators
package import BackendTransport
package import HardwareKeys
package import MobileAuthentication

/// A phone without a screen: the SDK on keys in a folder or a chip, with a user who follows a script.
///
/// The folder is locked from ``open(inDirectory:configuration:surroundings:)`` until the device is let go of, so that two
/// commands never mix; whoever comes second waits ten seconds.
package final class VirtualDevice: Sendable {
    /// What a device stands on; the defaults are the real things.
    package struct Surroundings: Sendable {
        /// The way to servers; nil for that of the platform.
        package var transport: (any HTTPTransport)?
        /// What a PIN costs to check.
        package var pinProtection = SecretProtection.production
        /// The time that questions to the user take.
        package var clock: (any MonotonicClock)?
        /// Who takes the messages of the SDK.
        package var logger: (any SDKLogger)?

        package init() {}
    }

    /// What the device is.
    package let settings: DeviceSettings
    /// The SDK of the device.
    package let client: any MobileAuthenticationClient
    /// What protects the keys of the device.
    package let protectionStatement: ProtectionStatement
    private let lock: FileLock

    private init(
        settings: DeviceSettings, protection: ProtectionStatement, client: any MobileAuthenticationClient,
        lock: FileLock
    ) {
        self.settings = settings
        protectionStatement = protection
        self.client = client
        self.lock = lock
    }

    deinit { lock.release() }

    /// Makes a device in a folder that does not exist or is empty and private.
    package static func create(inDirectory path: String, _ settings: DeviceSettings) async throws(VirtualDeviceError) {
        try await DeviceFolder(path: path).create(settings)
    }

    /// Opens a device and locks its folder.
    package static func open(
        inDirectory path: String, configuration: Configuration, surroundings: Surroundings = Surroundings()
    ) async throws(VirtualDeviceError) -> VirtualDevice {
        let folder = DeviceFolder(path: path)
        let lock = try folder.lock()
        let settings = try folder.settings()
        let parts = try await folder.authenticatorPorts(of: settings.keys, surroundings.pinProtection)
        let ports = try ports(for: settings, on: parts, configuration, surroundings)
        do throws(InitializationError) {
            let client = try await MobileAuthenticationClientInitializer.client(for: configuration, on: ports)
            return VirtualDevice(
                settings: settings, protection: parts.vault.protectionStatement, client: client, lock: lock)
        } catch {
            throw .client(error)
        }
    }

    private static func ports(
        for settings: DeviceSettings, on parts: AuthenticatorPorts, _ configuration: Configuration,
        _ surroundings: Surroundings
    ) throws(VirtualDeviceError) -> ClientPorts {
        let facetID = try settings.facetID()
        let store = LocalAuthenticators(
            parts, profile: settings.profile, facetID: facetID)
        var ports = ClientPorts(
            facetID: facetID, store: store, transport: try transport(for: configuration, surroundings))
        ports.profile = settings.profile
        ports.keyProtection = DeviceCapabilities.KeyProtection(parts.vault.provider)
        ports.logger = surroundings.logger
        if let clock = surroundings.clock { ports.clock = clock }
        return ports
    }

    private static func transport(
        for configuration: Configuration, _ surroundings: Surroundings
    ) throws(VirtualDeviceError) -> any HTTPTransport {
        if let transport = surroundings.transport { return transport }
        do throws(InitializationError) {
            return try PlatformTransport.make(for: configuration)
        } catch {
            throw .client(error)
        }
    }

    // MARK: - Operations

    /// Registers the PIN authenticator for a user.
    package func register(
        _ username: String, deviceName: String?, authorization: (any AuthorizationProvider)?, user: UserScript
    ) async throws(OperationError) {
        let person = ScriptedUser(user)
        let operation = client.operations.registration.username(username)
            .authenticatorSelector(person).pinEnroller(person)
        if let deviceName { operation.deviceInformation(DeviceInformation(name: deviceName)) }
        if let authorization { operation.authorizationProvider(authorization) }
        try await operation.perform()
    }

    /// Authenticates a user and returns what the server issued.
    package func authenticate(
        _ username: String, user: UserScript
    ) async throws(AuthenticationError) -> (any AuthorizationProvider)? {
        let person = ScriptedUser(user)
        return try await client.operations.authentication.username(username)
            .authenticatorSelector(person).pinUserVerifier(person).perform()
    }

    /// Takes authenticators of a user off server and device; without an AAID all of them.
    package func deregister(
        _ username: String, aaid: String? = nil, authorization: (any AuthorizationProvider)?
    ) async throws(OperationError) {
        let operation = client.operations.deregistration.username(username)
        if let aaid { operation.aaid(aaid) }
        if let authorization { operation.authorizationProvider(authorization) }
        try await operation.perform()
    }

    /// Deletes authenticators of a user from the device only; without an AAID all of them.
    package func deleteLocally(_ username: String, aaid: String? = nil) async throws(DeleteAuthenticatorError) {
        try await client.localData.removeAuthenticator(username: username, aaid: aaid)
    }

    /// The registrations of the device, in the order in which they were made.
    package var registrations: [DeviceRegistration] {
        client.localData.authenticators.flatMap { authenticator in
            authenticator.registration.registeredAccounts.map { account in
                DeviceRegistration(
                    username: account.username, server: account.server.baseUrl.absoluteString,
                    aaid: authenticator.aaid, isUsable: authenticator.registration.isUsable(account.username))
            }
        }
    }
}
