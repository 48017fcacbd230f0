import MobileAuthentication
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
