public import Foundation
public import HardwareKeys
import Synchronization

/// The entry to everything the SDK does; made once per start of an application and kept.
public protocol MobileAuthenticationClient: Sendable {
    /// What can be done together with a server.
    var operations: any Operations { get }
    /// What is stored on this device.
    var localData: any LocalData { get }
    /// What the device offers to protect keys.
    var deviceCapabilities: DeviceCapabilities { get }
}

/// Makes a client: opens the keys of the device and connects them with a server.
///
/// Required is the configuration. Make one client per start of the application and keep it.
public final class MobileAuthenticationClientInitializer: Sendable {
    /// Everything that the application has said so far.
    private struct Draft: Sendable {
        var configuration: Configuration?
        var graph = ClientGraph()
        var onSuccess: (@MainActor (any MobileAuthenticationClient) -> Void)?
        var onError: (@MainActor (InitializationError) -> Void)?
    }

    private let draft = Mutex(Draft())

    /// Begins without any setting.
    public init() {}

    /// Where the server is, and how long the SDK waits.
    @discardableResult
    public func configuration(_ configuration: Configuration) -> Self { with { $0.configuration = configuration } }

    /// Where the keys shall live; the default is the secure hardware of the platform, ``KeyVaultChoice/platform``.
    @discardableResult
    public func keyVault(_ keyVault: KeyVaultChoice) -> Self {
        with { $0.graph.keys = KeyVaultOpening(origin: .choice(keyVault)) }
    }

    /// Hardware in which the keys shall live, such as `.trustedPlatformModule(TPMConnection("device:/dev/tpmrm1"))`.
    ///
    /// Where it is out of reach the initializer ends with ``InitializationError/HardwareError(cause:)``; software is never
    /// taken instead. Keys cannot move from one place to another: a folder that holds others is refused with `Unknown`.
    @discardableResult
    public func keyVault(_ source: some KeyVaultSource) -> Self {
        with { $0.graph.keys = KeyVaultOpening(origin: .source(source)) }
    }

    /// As which kind of device the client presents itself to servers; the default is ``ClientProfile/iOS``.
    @discardableResult
    public func profile(_ profile: ClientProfile) -> Self { with { $0.graph.profile = profile } }

    /// The folder for keys and records; the default lies in the application support folder of the user.
    @discardableResult
    public func storeDirectory(_ storeDirectory: URL) -> Self { with { $0.graph.directory = storeDirectory } }

    /// Who verifies the user where the operating system does: with a finger, a face, or the passcode of the device.
    ///
    /// On Apple platforms the default is Face ID, Touch ID and the passcode, and nothing has to be said. On Linux there is
    /// none, because the application says where a passcode is typed: `LinuxUserPresence(passcodeEntry:)`. Adopt
    /// `PlatformPresence` for another way; with a bare `UserPresence`, which does not know what the machine has, only PIN
    /// and password can be chosen.
    @discardableResult
    public func userPresence(_ userPresence: any UserPresence) -> Self { with { $0.graph.userPresence = userPresence } }

    /// Who takes the messages of the SDK; the default keeps nothing.
    @discardableResult
    public func logger(_ logger: any SDKLogger) -> Self { with { $0.graph.logger = logger } }

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

    /// Makes the client; the end is told to exactly one of the closures, once, on the main actor.
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

    /// Makes a client on ports that are handed in.
    package static func client(
        for configuration: Configuration, on ports: ClientPorts
    ) async throws(InitializationError) -> any MobileAuthenticationClient {
        do throws(CeremonyFailure) {
            let client = try await RunningClient(configuration, ports)
            RunningProfile.change(to: ports)
            return client
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
