import HardwareKeys
import MobileAuthentication
import Testing

/// Hardware that nobody may ask.
struct UnaskedHardware: KeyVaultSource {
    func vault(inDirectory directory: String) async throws(KeyVaultError) -> any KeyVault {
        Issue.record("the hardware was asked")
        throw .hardwareUnavailable
    }
}
