import HardwareKeys
import HardwareKeysTPM
import MobileAuthentication
import MobileAuthenticationTestKit
import TestSupport
import Testing

@Suite("Where the keys of a pretended phone lie")
struct TestPhoneKeysTests {
    /// Not the one of the tests of the SDK.
    private typealias TestPhone = MobileAuthenticationTestKit.TestPhone

    private static let server = Configuration(authCloudHostname: "server.example")

    /// What a phone of the Linux profile is.
    private func traits(
        _ keys: KeyVaultChoice?, _ hardware: any KeyVaultSource, _ log: KeptLog
    ) -> TestPhone.Traits {
        var traits = TestPhone.Traits(profile: .linux)
        if let keys { traits.keys = keys }
        traits.hardware = hardware
        traits.logger = log
        return traits
    }

    private func pin(of phone: TestPhone) -> String? { phone.client.localData.authenticators.first?.aaid }

    @Test("D-H3: they lie in software on every machine; the chip of the developer is not even asked")
    func unasked() async throws {
        let log = KeptLog()
        let phone = try await TestPhone(Self.server, traits(nil, UnaskedHardware(), log))
        #expect(phone.client.deviceCapabilities.keyProtection == .software)
        #expect(pin(of: phone) == "FFFF#2101")
        #expect(log.aboutKeys.count == 1 && log.aboutKeys[0].hasPrefix("warning client: Keys are kept in software:"))
        try await phone.destroy()
    }

    @Test("D-H3: a test that prefers hardware gets software where there is none, with a warning in the log")
    func fallback() async throws {
        let (log, nowhere) = (KeptLog(), TrustedPlatformModule(TPMConnection("device:/nowhere")))
        let phone = try await TestPhone(Self.server, traits(.preferHardware, nowhere, log))
        #expect(phone.client.deviceCapabilities.keyProtection == .software)
        #expect(log.aboutKeys.count == 1)
        #expect(log.aboutKeys.first?.contains("there is no secure hardware") == true)
        let error = await #expect(throws: TestPhoneError.self) {
            _ = try await TestPhone(Self.server, traits(.platform, nowhere, log))
        }
        guard case .storage(let cause)? = error else {
            Issue.record("another error: \(String(describing: error))")
            return
        }
        #expect(cause as? KeyVaultError == .hardwareUnavailable)
    }

    @Test(
        "D-H3: a test that prefers hardware gets it where it is, also after a start anew, and gives all of it back",
        .enabled(if: SoftwareTPM.isInstalled, "\(SoftwareTPM.absence)"))
    func chip() async throws {
        let (log, chip) = (KeptLog(), try SoftwareTPM())
        let before = try chip.indices()
        let traits = traits(.preferHardware, TrustedPlatformModule(chip.connection), log)
        let phone = try await TestPhone(Self.server, traits)
        #expect(phone.client.deviceCapabilities.keyProtection == .tpm)
        #expect(pin(of: phone) == "FFFF#2001")
        #expect(log.aboutKeys == ["notice client: Keys are kept in secure hardware. keyVault=tpm"])
        #expect(try chip.indices() != before)
        let again = try await phone.restarted()
        #expect(again.client.deviceCapabilities.keyProtection == .tpm)
        try await again.destroy()
        #expect(try chip.indices() == before)
    }
}
