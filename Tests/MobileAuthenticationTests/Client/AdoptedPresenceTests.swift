import MobileAuthentication
import Testing

/// A way to the user that an application has made by itself, with nothing imported but the SDK.
private struct KioskPresence: PlatformPresence, AuthenticatorPlatform, DeviceLock {
    var lock = DeviceLockStatus.present

    func confirm(_ gate: UserGate) async throws(UserPresenceError) -> UserPresenceProof {
        UserPresenceProof(gate: gate)
    }

    func enrollmentDigest() async throws(UserPresenceError) -> [UInt8] { [UInt8](repeating: 7, count: 32) }

    func support(for verification: PlatformVerification) async -> PlatformSupport {
        verification == .fingerprint ? .complete : .absent
    }

    func status() async -> DeviceLockStatus { lock }
}

@Suite("A presence that an application brings along")
struct AdoptedPresenceTests {
    private func client(_ presence: KioskPresence) async throws -> any MobileAuthenticationClient {
        let folder = FileManager.default.temporaryDirectory.appending(path: "app-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        return try await MobileAuthenticationClientInitializer()
            .configuration(Configuration(authCloudHostname: "server.example"))
            .keyVault(.software).storeDirectory(folder).userPresence(presence).perform()
    }

    @Test("D-H4: what it verifies is offered, and nothing else of what a system verifies")
    func offered() async throws {
        let client = try await client(KioskPresence())
        let enrolled = client.localData.authenticators.filter {
            ($0.userEnrollment as? OsUserEnrollment)?.isEnrolled() == true
        }
        #expect(enrolled.map(\.aaid) == ["F1D0#1002"])
    }

    @Test("D-H4: its missing lock ends the initializer with NoDeviceLockError, but in the debug flavour")
    func noLock() async throws {
        guard MetaData.flavor == .release else {
            _ = try await client(KioskPresence(lock: .absent))
            return
        }
        let error = await #expect(throws: InitializationError.self) { try await client(KioskPresence(lock: .absent)) }
        guard case .NoDeviceLockError? = error else {
            Issue.record("another error: \(String(describing: error))")
            return
        }
    }
}
