import BackendTransport
import Foundation
import Synchronization
import Testing

@testable import MobileAuthentication

@Suite("Settings of the connection to a server")
struct ConnectionSettingTests {
    /// Keeps the warnings.
    private final class Warnings: SDKLogger {
        private let kept = Mutex<[String]>([])

        var options: [String] { kept.withLock { $0 } }

        func log(_ level: SDKLogLevel, _ category: SDKLogCategory, _ message: String, _ fields: [SDKLogField]) {
            guard level == .warning, category == .network else { return }
            kept.withLock { $0 += fields.filter { $0.name == "option" }.map(\.value) }
        }
    }

    private func warnings(_ change: (inout Configuration) -> Void) async throws -> [String] {
        var configuration = Configuration(authCloudHostname: "server.example")
        change(&configuration)
        let folder = FileManager.default.temporaryDirectory.appending(path: "app-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let warnings = Warnings()
        _ = try await MobileAuthenticationClientInitializer().configuration(configuration)
            .keyVault(.software).storeDirectory(folder).logger(warnings).perform()
        return warnings.options
    }

    private static let digests = [Data(repeating: 1, count: 32), Data(repeating: 2, count: 32)]

    @Test("A single pin, also one that is named twice, is warned of; two are not, and none is not")
    func pins() async throws {
        #expect(try await warnings { $0.pinnedCertificates = [Self.digests[0]] } == ["pinnedCertificates"])
        let twice = [Self.digests[0], Self.digests[0]]
        #expect(try await warnings { $0.pinnedCertificates = twice } == ["pinnedCertificates"])
        #expect(try await warnings { $0.pinnedCertificates = Self.digests }.isEmpty)
        #expect(try await warnings { _ in }.isEmpty)
    }

    @Test("D-L5: suites without forward secrecy are off, and a warning comes where they are switched on")
    func suites() async throws {
        var configuration = Configuration(authCloudHostname: "server.example")
        #expect(try !PlatformTransport.trust(for: configuration).allowsSuitesWithoutForwardSecrecy)
        configuration.allowsSuitesWithoutForwardSecrecy = true
        #expect(try PlatformTransport.trust(for: configuration).allowsSuitesWithoutForwardSecrecy)
        #expect(
            try await warnings { $0.allowsSuitesWithoutForwardSecrecy = true } == ["allowsSuitesWithoutForwardSecrecy"])
    }
}
