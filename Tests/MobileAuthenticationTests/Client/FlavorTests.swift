import Authenticators
import BackendTransport
import Foundation
import HardwareKeys
import Synchronization
import TestSupport
import Testing

@testable import MobileAuthentication

@Suite("D-L9: the release flavour and the debug flavour")
struct FlavorTests {
    /// Keeps the level and the fields of what is said about flavours.
    private final class Announcements: SDKLogger {
        private let kept = Mutex<[String]>([])

        var lines: [String] { kept.withLock { $0 } }

        func log(_ level: SDKLogLevel, _ category: SDKLogCategory, _ message: String, _ fields: [SDKLogField]) {
            guard message.contains("flavour") else { return }
            kept.withLock { $0.append("\(level) \(category) \(fields[0])") }
        }
    }

    /// A user on a machine without a lock.
    private struct LocklessPresence: PlatformPresence {
        let user = TestPresence()
        let deviceLock: any DeviceLock
        var platform: any AuthenticatorPlatform { user }

        init() {
            let lock = TestLock()
            lock.set(.absent)
            deviceLock = lock
        }

        func confirm(_ gate: UserGate) async throws(UserPresenceError) -> UserPresenceProof {
            try await user.confirm(gate)
        }

        func enrollmentDigest() async throws(UserPresenceError) -> [UInt8] { try await user.enrollmentDigest() }
    }

    private let scratch: TemporaryFolder
    private let log = Announcements()
    private let configuration: Configuration

    init() throws {
        scratch = try TemporaryFolder()
        var configuration = Configuration(authCloudHostname: "server.example")
        configuration.debugFlavorHosts = ["staging.example"]
        self.configuration = configuration
    }

    private func client(_ flavor: MetaData.Flavor) async throws(InitializationError) -> any MobileAuthenticationClient {
        var graph = ClientGraph()
        graph.keys = KeyVaultOpening(origin: .choice(.software))
        graph.directory = URL(filePath: scratch.path + "/application")
        graph.userPresence = LocklessPresence()
        graph.logger = log
        graph.flavor = flavor
        let ports = try await graph.ports(for: configuration)
        return try await MobileAuthenticationClientInitializer.client(for: configuration, on: ports)
    }

    @Test("The trait of the package decides, and release is the default")
    func build() {
        #if DebugFlavor
            #expect(MetaData.flavor == .debug)
        #else
            #expect(MetaData.flavor == .release)
        #endif
    }

    @Test("Release takes known issuers everywhere, debug any issuer at local and listed hosts")
    func trust() throws {
        let release = try PlatformTransport.trust(for: configuration, in: .release)
        let debug = try PlatformTransport.trust(for: configuration, in: .debug)
        #expect(release.issuers == .known)
        #expect(debug.issuers == .anyAt(LocalHosts(listing: ["staging.example"])))
        let built = try PlatformTransport.trust(for: configuration)
        #expect(built == (MetaData.flavor == .release ? release : debug))
    }

    @Test("A host of production is a cause of its own, and no reason to try again")
    func refusedHost() {
        let cause = BackendTransportError.refusedHost.forApplication
        #expect(cause is ProductionHostError)
        #expect(cause.localizedDescription.contains("debug flavour"))
        #expect(!OperationError.NetworkError(cause: cause).isRetryable)
    }

    @Test("Without a device lock release makes no client, and debug makes one")
    func deviceLock() async throws {
        let error = await #expect(throws: InitializationError.self) { try await client(.release) }
        guard case .NoDeviceLockError? = error else {
            Issue.record("another error: \(String(describing: error))")
            return
        }
        let made = try await client(.debug)
        #expect(made.localData.accounts.isEmpty)
    }

    @Test("The log says of each client once which flavour runs; of debug it warns")
    func announcement() async throws {
        for (flavor, line) in [
            (MetaData.Flavor.release, "debug client flavor=release"), (.debug, "warning client flavor=debug"),
        ] {
            let log = Announcements()
            flavor.announce(to: log)
            #expect(log.lines == [line])
        }
        _ = try await client(.debug)
        #expect(log.lines.count == 1)
        #expect(log.lines.first?.hasSuffix("flavor=\(MetaData.flavor.rawValue)") == true)
    }

    @Test("An application without a logger is warned by debug on the standard error, and by release not")
    func loggers() {
        if let own = MetaData.Flavor.release.logger(nil) { Issue.record("\(own)") }
        #expect(MetaData.Flavor.debug.logger(nil) is StandardErrorLogger)
        for flavor in MetaData.Flavor.allCases { #expect(flavor.logger(log) is Announcements) }
    }
}
