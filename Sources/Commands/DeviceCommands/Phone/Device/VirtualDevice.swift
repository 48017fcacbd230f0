package import Authenticators
package import BackendTransport
package import HardwareKeys
package import MobileAuthentication

/// A phone without a screen: the SDK on keys in a folder or a chip, with a user of the caller's choice.
///
/// The folder is locked from ``open(inDirectory:configuration:surroundings:)`` until the device is released, so that
/// two commands never mix; the second one waits at most ten seconds.
package final class VirtualDevice: Sendable {
    /// Dependencies of a device; the defaults are the real ones.
    package struct Surroundings: Sendable {
        /// HTTP transport to servers; nil for the platform's.
        package var transport: (any HTTPTransport)?
        /// Cost of checking a PIN or password.
        package var secretProtection = SecretProtection.production
        /// Clock for the time-outs of questions to the user.
        package var clock: (any MonotonicClock)?
        /// Clock for the time of day.
        package var civilClock: (any CivilClock)?
        package var coolDownClock: any CoolDownClock = SystemCoolDownClock()
        /// Verification of the user by the operating system; nil where there is none.
        package var presence: (any UserPresence)?
        package var platform: any AuthenticatorPlatform = AbsentPlatform()
        package var deviceLock: any DeviceLock = UntoldDeviceLock()
        package var logger: (any SDKLogger)?

        package init() {}
    }

    /// Description of the device, fixed when it was made.
    package let settings: DeviceSettings
    package let client: any MobileAuthenticationClient
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
        try requireUntouched()
        try await DeviceFolder(path: path).create(settings)
    }

    /// Destroys the keys of a device and what they take of a chip; the files are left to the caller.
    package static func destroyKeys(inDirectory path: String) async throws(VirtualDeviceError) {
        try requireUntouched()
        try await DeviceFolder(path: path).destroyKeys()
    }

    /// Opens a device and locks its folder.
    package static func open(
        inDirectory path: String, configuration: Configuration, surroundings: Surroundings = Surroundings()
    ) async throws(VirtualDeviceError) -> VirtualDevice {
        try requireUntouched()
        let folder = DeviceFolder(path: path)
        let lock = try await folder.lock()
        let settings = try folder.settings()
        let parts = try await folder.authenticatorPorts(of: settings.keys, surroundings)
        let ports = try ports(for: settings, on: parts, configuration, surroundings)
        do throws(InitializationError) {
            let client = try await MobileAuthenticationClientInitializer.client(for: configuration, on: ports)
            return VirtualDevice(
                settings: settings, protection: parts.vault.protectionStatement, client: client, lock: lock)
        } catch {
            throw .client(error)
        }
    }

    private static func requireUntouched() throws(VirtualDeviceError) {
        do throws(InitializationError) {
            try GuardedProcess.requireUntouched()
        } catch {
            throw .client(error)
        }
    }

    private static func ports(
        for settings: DeviceSettings, on parts: AuthenticatorPorts, _ configuration: Configuration,
        _ surroundings: Surroundings
    ) throws(VirtualDeviceError) -> ClientPorts {
        let store = LocalAuthenticators(parts, profile: settings.profile, facetID: settings.facetID)
        var ports = ClientPorts(
            facetID: settings.facetID, store: store, transport: try transport(for: configuration, surroundings))
        ports.profile = settings.profile
        ports.protection = .guards()
        ports.keyProtection = DeviceCapabilities.KeyProtection(parts.vault.provider)
        ports.logger = MetaData.flavor.logger(surroundings.logger)
        if let clock = surroundings.clock { ports.clock = clock }
        if let civilClock = surroundings.civilClock { ports.civilClock = civilClock }
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
}

/// Failure to make or use a virtual device.
@nonexhaustive
package enum VirtualDeviceError: Error, Sendable {
    /// The folder holds no device: make one first.
    case notInitialized
    /// The folder holds a device already: choose another folder.
    case alreadyInitialized
    /// The device was made by another version of this program: delete the folder and make the device again.
    case outdated
    /// The bundle identifier is empty, longer than 255 bytes, or has characters other than letters, digits, `-` and
    /// `.`.
    case invalidBundleID
    /// The hash of the signing certificate is not a SHA-1 in Base64 without padding (27 characters).
    case invalidKeyHash
    /// A Linux application cannot be named from outside: leave the name away.
    case fixedApplication
    /// Another process works with the device, for more than ten seconds.
    case busy
    /// Others may read the folder: take the rights away from group and others.
    case exposed
    /// The operating system refused; the number is its `errno`.
    case storageFailed(code: Int32)
    case unusableKeys(any Error)
    case client(InitializationError)
}
