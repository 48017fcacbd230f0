import Authenticators
import BackendTransport
import Foundation
import HardwareKeys
import UAF
import UAFClient

/// Dependencies shared by the operations of one client.
struct ClientEnvironment: Sendable {
    let configuration: Configuration
    let store: any AuthenticatorStore
    let keys: any AuthenticatorKeys
    let transport: any HTTPTransport
    let facets: FacetTrust
    let clock: any MonotonicClock
    let civilClock: any CivilClock
    let logger: any SDKLogger
    let profile: DeviceProfile
    let traits: ProfileTraits
    let userAgent: String
    let protection: DeviceProtection
    let application: ApplicationStatement
    let userMutex = AsyncMutex()

    init(_ configuration: Configuration, _ ports: ClientPorts, store: any AuthenticatorStore) {
        self.configuration = configuration
        self.store = store
        keys = ports.store
        transport = RetryingTransport(ports.transport, clock: ports.clock)
        facets = FacetTrust(
            facetID: ports.facetID, transport: transport, clock: ports.clock,
            networkTimeout: Duration(bounded: configuration.networkTimeoutInSeconds))
        clock = ports.clock
        civilClock = ports.civilClock
        logger = ports.logger ?? SilentLogger()
        profile = ports.profile
        traits = ProfileTraits(ports.profile)
        userAgent = UserAgent.text
        protection = ports.protection
        application = ApplicationStatement(provider: ports.attestation, home: configuration.baseUrl)
    }

    var server: ServerAddress { ServerAddress(configuration.baseUrl) }

    var dialog: UserDialog {
        UserDialog(
            clock: clock, patience: Duration(bounded: configuration.userInteractionTimeoutInSeconds), turn: userMutex)
    }

    /// Runs the body of an operation, and logs its failure; none begins on a device that was tampered with.
    ///
    /// Bodies run one at a time, `inTurn`; one that needs no user may run beside them.
    func attempt<Output: Sendable, Cause: Error, Failure: OperationFailure>(
        orThrow failure: (Cause) -> Failure, inTurn: Bool = true,
        _ body: @escaping @Sendable () async throws(Cause) -> Output
    ) async -> Result<Output, Failure> {
        do throws(Failure) {
            if let objection = await protection.objection() { throw .DeviceProtectionError(cause: objection) }
            if inTurn, UserDialog.isAsking(by: userMutex) { throw .Unknown(cause: NestedOperationError()) }
            do throws(Cause) {
                return .success(inTurn ? try await userMutex.runInTurn(body) : try await body())
            } catch {
                throw failure(error)
            }
        } catch {
            note(error)
            return .failure(error)
        }
    }

    func attempt<Output: Sendable, Failure: OperationFailure>(
        _ body: @escaping @Sendable () async throws(Failure) -> Output
    ) async -> Result<Output, Failure> {
        await attempt(orThrow: { $0 }, body)
    }

    /// Waits; a canceled wait is a cancellation.
    func sleep(_ delay: Duration) async throws(CeremonyFailure) {
        do throws(CancellationError) {
            try await clock.sleep(for: delay)
        } catch {
            throw .canceled
        }
    }

    /// Logs choices that weaken the default protection of an application.
    func warn(about choices: VerificationChoices) {
        guard choices.allowsDevicePasscodeFallback else { return }
        let text =
            choices.isContradictory
            ? "With the passcode as fallback the key stays usable after a new finger or face is enrolled."
            : "The passcode as fallback keeps the key usable after a new finger or face is enrolled."
        logger.log(.warning, .operation, text, [.open("option", "allowDevicePasscodeAsFallback")])
    }

    /// Logs warnings about choices for the connection that weaken it, or that can lock applications out.
    func warnAboutConnection() {
        if Set(configuration.pinnedCertificates).count == 1 {
            let text = "A single pin locks all users out when the key of the server changes; pin a backup key too."
            logger.log(.warning, .network, text, [.open("option", "pinnedCertificates")])
        }
        if configuration.allowsSuitesWithoutForwardSecrecy {
            let text = "Cipher suites without forward secrecy are offered."
            logger.log(.warning, .network, text, [.open("option", "allowsSuitesWithoutForwardSecrecy")])
        }
    }

    func note(_ error: some MobileAuthenticationClientError) {
        var fields = [SDKLogField.open("error", type(of: error).errorDomain), .open("code", error.errorCode)]
        if let code = error.fidoErrorCode { fields.append(.open("fidoErrorCode", code.rawValue)) }
        if let status = error.cause as? ServerStatus { fields.append(.open("uafStatus", status.code)) }
        if let status = error.cause as? HTTPStatusError { fields.append(.open("httpStatus", status.statusCode)) }
        logger.log(
            error.cause is any WrongUse ? .fault : .notice, .operation, "An operation ended without success.", fields)
    }
}

/// User agent of the SDK: `NMASDK/<version> (<model>; <os> <os version>) <bundle id>/<app version>`.
enum UserAgent {
    static var text: String {
        let version = ProcessInfo.processInfo.operatingSystemVersion
        let system = "\(version.majorVersion).\(version.minorVersion).\(version.patchVersion)"
        let application = Bundle.main.infoDictionary?["CFBundleShortVersionString"] as? String ?? "0"
        return visible(
            "NMASDK/\(MetaData.mobileAuthenticationVersion) (\(model); \(name) \(system)) "
                + "\(MetaData.bundleIdentifier)/\(application)")
    }

    #if os(iOS)
        private static let name = "iOS"
        private static let model = "iPhone"
    #elseif os(macOS)
        private static let name = "macOS"
        private static let model = "Mac"
    #else
        private static let name = "Linux"
        private static let model = "PC"
    #endif

    /// Text restricted to what a header field may hold.
    private static func visible(_ text: String) -> String {
        String(decoding: text.utf8.map { (0x20...0x7E).contains($0) ? $0 : UInt8(ascii: "_") }, as: UTF8.self)
    }
}

/// A logger that discards every message.
struct SilentLogger: SDKLogger {
    func log(_ level: SDKLogLevel, _ category: SDKLogCategory, _ message: String, _ fields: [SDKLogField]) {}
}
