import HardwareKeys
import Testing

@testable import MobileAuthentication

@Suite("What can be read about a device is not old")
struct FreshnessTests {
    private static let unset = PlatformSupport(
        isSupportedByHardware: true, isSupportedByOs: true, isEnrolled: false)

    private func isEnrolled(_ phone: TestPhone) throws -> Bool? {
        (try phone.authenticator(.Fingerprint).userEnrollment as? OsUserEnrollment)?.isEnrolled()
    }

    @Test("D-M10: a platform that tells at once is asked at each reading, and what was read goes on to follow it")
    func atOnce() async throws {
        let presence = TestPresence()
        presence.tellAtOnce()
        presence.offer(Self.unset, for: .fingerprint)
        let phone = try await TestPhone { $0.presence = presence }
        let held = try phone.authenticator(.Fingerprint).userEnrollment as? OsUserEnrollment
        #expect(try isEnrolled(phone) == false && held?.isEnrolled() == false)
        presence.offer(.complete, for: .fingerprint)
        #expect(try isEnrolled(phone) == true && held?.isEnrolled() == true)
        presence.offer(.absent, for: .fingerprint)
        #expect(try !phone.authenticator(.Fingerprint).isSupportedByHardware)
        // What the SDK holds itself is no business of the platform.
        #expect(try phone.authenticator(.Pin).isSupportedByHardware)
        #expect(try phone.authenticator(.Pin).userEnrollment is SdkUserEnrollment)
    }

    @Test("D-M10: a platform that takes its time is asked by refresh()")
    func refresh() async throws {
        let presence = TestPresence()
        presence.offer(Self.unset, for: .fingerprint)
        let phone = try await TestPhone { $0.presence = presence }
        presence.offer(.complete, for: .fingerprint)
        #expect(try isEnrolled(phone) == false)
        await phone.client.localData.refresh()
        #expect(try isEnrolled(phone) == true)
    }

    @Test(
        "D-L13: a reinstallation has the same identifier at a server again, where the platform knows the installation")
    func deviceID() async throws {
        let installation = "00112233445566778899aabbccddeeff"
        let phone = try await TestPhone { $0.installationID = installation }
        try await phone.register()
        let identifier = try #require(phone.client.localData.deviceInformation?.deviceId)
        let again = try await TestPhone { $0.installationID = installation }
        try await again.register()
        #expect(again.client.localData.deviceInformation?.deviceId == identifier)
        #expect(!identifier.contains(installation))
        let unknown = try await TestPhone()
        try await unknown.register()
        #expect(unknown.client.localData.deviceInformation?.deviceId?.isEmpty == false)
        #expect(unknown.client.localData.deviceInformation?.deviceId != identifier)
    }

    @Test("D-L13: on Linux a reinstallation in the same folder is the same device, another folder another one")
    func installation() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "sdk-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.path(percentEncoded: false)
        var seen: [String?] = []
        for _ in 1...2 {
            let vault = try await SoftwareKeyVault.create(inDirectory: path)
            seen.append(await PlatformHardware.installationID(vault, in: path))
            try FileManager.default.removeItem(at: folder)
        }
        #expect(seen[0] == seen[1])
        let vault = try await SoftwareKeyVault.create(inDirectory: path)
        let elsewhere = await PlatformHardware.installationID(vault, in: path + "-2")
        // A machine that was never set up has no identifier; then none is made up.
        #expect(seen[0] == nil ? elsewhere == nil : elsewhere != nil && elsewhere != seen[0])
    }
}
