import HardwareKeys
import MobileAuthentication
import Testing

/// Hardware that may not be asked.
struct UnaskedHardware: KeyVaultSource {
    func vault(inDirectory directory: String) async throws(KeyVaultError) -> any KeyVault {
        Issue.record("the hardware was asked")
        throw .hardwareUnavailable
    }
}
