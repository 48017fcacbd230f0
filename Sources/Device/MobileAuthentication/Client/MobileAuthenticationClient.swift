public import Foundation
public import HardwareKeys
import Locking
import UAFClient

/// The entry to everything the SDK does; made once per start of an application and kept.
public protocol MobileAuthenticationClient: Sendable {
    /// Factory of operations with a server or on the keys of this device.
    var operations: any Operations { get }
    /// Data of the SDK stored on this device.
    var localData: any LocalData { get }
    /// Key protection that the device offers.
    var deviceCapabilities: DeviceCapabilities { get }
    /// The facet of the application by the rules of FIDO AppID and Facets 1.1, in the profile of the client:
    /// `ios:bundle-id:<bundle id>` or `linux:app-id:<application id>`.
    var applicationFacetId: String { get }
}

extension MobileAuthenticationClient {
    /// Software: an application's own implementation promises no hardware.
    public var deviceCapabilities: DeviceCapabilities { DeviceCapabilities(keyProtection: .software) }

    /// From the profile ``ClientProfile/iOS``, ``MetaData/applicationFacetId``.
    public var applicationFacetId: String { MetaData.applicationFacetId }
}

/// Makes a client: opens the keys of the device and connects them with a server.
///
/// Required is the configuration. Make one client per start of the application and keep it.
///
/// ```swift
/// let client = try await MobileAuthenticationClientInitializer()
///     .configuration(Configuration(authCloudHostname: "instance.mauth.example"))
///     .perform()
/// ```
public final class MobileAuthenticationClientInitializer: Sendable {
    /// Parameters that the application has set so far.
    private struct Draft: Sendable {
        var configuration: Configuration?
        var graph = ClientGraph()
        var onSuccess: (@MainActor (any MobileAuthenticationClient) -> Void)?
        var onError: (@MainActor (InitializationError) -> Void)?
    }

    private let draft = Lock(Draft())

    /// Begins without any setting.
    public init() {}

    /// Addresses of the server and time-outs; required.
    @discardableResult
    public func configuration(_ configuration: Configuration) -> Self { with { $0.configuration = configuration } }

    /// Storage for the keys; the default is the secure hardware of the platform, ``KeyVaultChoice/platform``.
    @discardableResult
    public func keyVault(_ keyVault: KeyVaultChoice) -> Self {
        with { $0.graph.keys = KeyVaultOpening(origin: .choice(keyVault)) }
    }

    /// Hardware for the keys, such as `.trustedPlatformModule(TPMConnection("device:/dev/tpmrm1"))`.
    ///
    /// If it is out of reach, the initializer ends with ``InitializationError/HardwareError(cause:)``; software is
    /// never taken instead. Keys cannot be moved from one storage to another: a folder that holds others is refused
    /// with `Unknown`.
    @discardableResult
    public func keyVault(_ source: some KeyVaultSource) -> Self {
        with { $0.graph.keys = KeyVaultOpening(origin: .source(source)) }
    }

    /// Family of devices that the client claims to belong to; the default is ``ClientProfile/iOS``.
    @discardableResult
    public func profile(_ profile: ClientProfile) -> Self { with { $0.graph.profile = profile } }

    /// The folder for keys and records; the default lies in the application support folder of the user.
    @discardableResult
    public func storeDirectory(_ storeDirectory: URL) -> Self { with { $0.graph.directory = storeDirectory } }

    /// User verification by the operating system: with a finger, a face, or the passcode of the device.
    ///
    /// On Apple platforms the default is Face ID, Touch ID and the passcode, and nothing has to be said. On Linux there
    /// is none, because the application says where a passcode is typed: `LinuxUserPresence(passcodeEntry:)`. Adopt
    /// `PlatformPresence` for another way; with a bare `UserPresence`, which does not know what the machine has, only
    /// PIN and password can be chosen.
    @discardableResult
    public func userPresence(_ userPresence: any UserPresence) -> Self { with { $0.graph.userPresence = userPresence } }

    /// Logger for the messages of the SDK; the default discards them.
    @discardableResult
    public func logger(_ logger: any SDKLogger) -> Self { with { $0.graph.logger = logger } }

    /// Guards against tampering; the default is ``DeviceProtection/guards(_:)``, and ``DeviceProtection/none`` leaves
    /// them out.
    ///
    /// In the release flavour they run as soon as the client is made, and are asked before keys are opened and at the
    /// beginning of every operation that uses them or changes the device's record. The log says whether findings have
    /// consequences: on Apple platforms, and on Linux in a sealed program. Where the policy says throw, the initializer ends
    /// with ``InitializationError/RootedError(cause:)`` or ``InitializationError/DeviceProtectionError(cause:)``, an
    /// operation with the case of the latter name, for each server where there is one for each, and a sign-in with
    /// ``AuthenticationError/Unknown(cause:)``; the cause is a `TamperingError`.
    @discardableResult
    public func deviceProtection(_ protection: DeviceProtection) -> Self {
        with { $0.graph.protection = DeviceProtection(network: protection.network, check: $0.graph.protection.check) }
    }

    /// Check of the application's own, asked after the guards, from any thread.
    ///
    /// It should take less than a millisecond. What it throws is the cause of the errors that guards lead to.
    @discardableResult
    public func deviceProtection(_ check: @escaping @Sendable () throws -> Void) -> Self {
        with { $0.graph.protection.check = check }
    }

    /// Provider of statements about the application, which go with each response; the default makes none.
    ///
    /// On Apple platforms it is `AppAttest()`. Set it for servers that demand it: a new key needs Apple's servers, and
    /// the operation ends with its `AppAttestationError` when no statement can be made, or when the server does not take
    /// it or misses one (status 1496). The cause is the provider's error, or a ``ServerStatus``.
    @discardableResult
    public func appAttestation(_ provider: any AppAttestationProvider) -> Self {
        with { $0.graph.attestation = provider }
    }

    /// Called once with the client.
    @discardableResult @preconcurrency
    public func onSuccess(_ handler: @escaping @MainActor (any MobileAuthenticationClient) -> Void) -> Self {
        with { $0.onSuccess = handler }
    }

    /// Called once when no client could be made.
    @discardableResult @preconcurrency
    public func onError(_ handler: @escaping @MainActor (InitializationError) -> Void) -> Self {
        with { $0.onError = handler }
    }

    /// Makes the client; exactly one of the closures is called, once, on the main actor.
    public func execute() {
        let draft = draft.withLock { $0 }
        Task {
            do throws(InitializationError) {
                let client = try await Self.client(draft)
                await draft.onSuccess?(client)
            } catch {
                await draft.onError?(error)
            }
        }
    }

    /// Makes the client and waits for it.
    public func perform() async throws(InitializationError) -> any MobileAuthenticationClient {
        try await Self.client(draft.withLock { $0 })
    }

    /// Makes a client with a configuration and nothing else.
    public static func client(
        for configuration: Configuration
    ) async throws(InitializationError) -> any MobileAuthenticationClient {
        try await Self().configuration(configuration).perform()
    }

    package static func client(
        for configuration: Configuration, on ports: ClientPorts
    ) async throws(InitializationError) -> any MobileAuthenticationClient {
        do throws(CeremonyFailure) {
            return try await RunningClient(configuration, ports)
        } catch .noDeviceLock {
            throw .NoDeviceLockError(cause: nil)
        } catch {
            throw .Unknown(cause: error)
        }
    }

    private func with(_ change: (inout sending Draft) -> Void) -> Self {
        draft.withLock { change(&$0) }
        return self
    }

    @concurrent
    private static func client(
        _ draft: Draft
    ) async throws(InitializationError) -> any MobileAuthenticationClient {
        guard let configuration = draft.configuration else {
            throw .Unknown(cause: MissingParameterError("configuration"))
        }
        return try await client(for: configuration, on: try await draft.graph.ports(for: configuration))
    }
}
