import Locking
import MobileAuthentication
import Testing

@Suite("The application's check of the device is asked before anything is done")
struct DeviceProtectionTests {
    private struct Tampering: Error {}

    /// Check that refuses from a moment on.
    private final class Check: Sendable {
        private let isRefusing = Lock(false)

        func refuse() { isRefusing.withLock { $0 = true } }

        func require() throws {
            if isRefusing.withLock({ $0 }) { throw Tampering() }
        }
    }

    private func withClient(
        _ check: Check, _ body: (any MobileAuthenticationClient) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "app-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let client = try await MobileAuthenticationClientInitializer()
            .configuration(Configuration(authCloudHostname: "server.example"))
            .keyVault(.software).storeDirectory(folder).deviceProtection { try check.require() }.perform()
        try await body(client)
    }

    @Test("A check that throws keeps a client from being made, and is the cause")
    func initialization() async throws {
        let check = Check()
        check.refuse()
        let error = await #expect(throws: InitializationError.self) { try await withClient(check) { _ in } }
        guard case .DeviceProtectionError(let cause)? = error else {
            Issue.record("another error: \(String(describing: error))")
            return
        }
        #expect(cause is Tampering)
    }

    @Test("A check that throws later ends operations with the same case; one that does not lets them begin")
    func operations() async throws {
        let check = Check()
        try await withClient(check) { client in
            let before = await #expect(throws: PinChangeError.self) {
                try await client.operations.pinChange.username("nobody").perform()
            }
            if case .DeviceProtectionError? = before { Issue.record("the check has refused nothing yet") }
            check.refuse()
            let change = await #expect(throws: PinChangeError.self) {
                try await client.operations.pinChange.username("nobody").perform()
            }
            guard case .DeviceProtectionError(let cause)? = change else {
                Issue.record("another error: \(String(describing: change))")
                return
            }
            #expect(cause is Tampering)
            let signIn = await #expect(throws: AuthenticationError.self) {
                try await client.operations.authentication.username("nobody").perform()
            }
            #expect(signIn?.cause is Tampering)
        }
    }
}
