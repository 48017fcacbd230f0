import Foundation
import MobileAuthentication
import SecureStorage
import Testing

@Suite("Call sites of applications")
struct CallSiteTests {
    @Test("They compile, and the first of them runs: without secure hardware it tells so through its error closure")
    @MainActor
    func initialization() async throws {
        let interactions = AppInteractions(
            coordinator: AppCoordinator(), validators: AppValidators(allowlist: AuthenticatorAaid.allCases))
        let presenter = AppHomePresenter(provider: AppClientProvider(), interactions: interactions)
        let succeeded = await withCheckedContinuation { continuation in
            presenter.initialize(Configuration(authCloudHostname: "instance.example")) { result in
                if case .success = result {
                    continuation.resume(returning: true)
                } else {
                    continuation.resume(returning: false)
                }
            }
        }
        #expect(!succeeded)
        #expect(presenter.messages.count == 1)
        #expect(presenter.accounts.isEmpty)
        #expect(presenter.pinUsers().isEmpty)
        #expect(presenter.about.contains("ios:bundle-id:"))
    }

    @Test("G-15: call sites of the secure storage: values, another start, deletion, and the names of the closed one")
    func storage() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "vault-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let place = folder.path(percentEncoded: false)
        try await AppVault(folder: place).save(token: "s3cret", seed: Data([1, 2, 3]))
        let vault = try await AppVault(folder: place)
        #expect(try vault.token() == "s3cret" && vault.seed() == Data([1, 2, 3]) && vault.count == 2)
        #expect(try vault.everything()["token"] == .string("s3cret"))
        _ = (vault as any HardwareNews).isInHardware
        await #expect(throws: SecureStorageError.userPresenceFailed(.unavailable)) { try await vault.protectByFace() }
        #expect(vault.protection == .none && SecureStorage.Protection.currentBiometrySet == .biometryCurrentSet)
        try await vault.forget()
        #expect(try await AppVault(folder: place, fingerprint: "other").token() == nil)
    }

    @Test("A property list as shipped, with keys of older versions, gives a configuration")
    func propertyList() throws {
        let list = """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0"><dict>
            <key>sdk</key><dict>
            <key>baseUrl</key><dict><key>relative</key><string>https://login.example</string></dict>
            <key>authenticationMaxRetries</key><integer>3</integer>
            <key>authenticationRetryIntervalInSeconds</key><integer>1</integer>
            </dict>
            <key>authenticatorAllowlist</key><array><string>F1D0#1001</string><string>F1D0#1005</string></array>
            </dict></plist>
            """
        let configuration = try AppConfiguration.read(Data(list.utf8))
        #expect(configuration.sdk.baseUrl.absoluteString == "https://login.example")
        #expect(configuration.authenticatorAllowlist.map { $0 == "F1D0#1005" } == [false, true])
    }
}
