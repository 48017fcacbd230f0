import Foundation
import HardwareKeys
import Synchronization
import TestSupport
import Testing

@testable import MobileAuthentication

@Suite("D-M4: the SDK leaves the actor of its caller")
@MainActor
struct MainActorTests {
    private let heart = Heartbeat()

    /// Where a vault comes from that opens only when the main actor goes on meanwhile.
    private struct PatientSource: KeyVaultSource {
        let heart: Heartbeat

        func vault(inDirectory directory: String) async throws(KeyVaultError) -> any KeyVault {
            guard heart.isFeltHere() else { throw .busy }
            return try await SoftwareKeyVault.create(inDirectory: directory + "/keys-of-test")
        }
    }

    @Test("D-M4: the main actor runs on while a client that it makes opens its keys")
    func opening() async throws {
        let folder = try TemporaryFolder()
        let configuration = Configuration(baseUrl: try #require(URL(string: "https://example.com")))
        try await heart.beating {
            _ = try await MobileAuthenticationClientInitializer().configuration(configuration)
                .storeDirectory(URL(filePath: folder.path)).keyVault(PatientSource(heart: heart)).perform()
        }
        #expect(heart.count >= Heartbeat.enough)
    }

    /// Counts the calls of a vault during which the main actor stood still.
    private final class Stalls: Sendable {
        let count = Mutex(0)
        private let heart: Heartbeat

        init(_ heart: Heartbeat) {
            self.heart = heart
        }

        func look() {
            if !heart.isFeltHere() { count.withLock { $0 += 1 } }
        }
    }

    @Test("D-M4: the main actor runs on while an operation that it performs works with the vault")
    func operation() async throws {
        let stalls = Stalls(heart)
        let phone = try await TestPhone { $0.guise = { WatchedVault($0, beginning: stalls.look) } }
        try await heart.beating { try await phone.register() }
        #expect(phone.usernames == ["jeff"])
        #expect(stalls.count.withLock { $0 } == 0)
        #expect(heart.count >= Heartbeat.enough)
    }
}
