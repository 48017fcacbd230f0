/// Where the vault of an application's keys comes from: hardware of one kind, reached in one way.
///
/// Who takes a source decides where the vault lies, and asks for it once. `HardwareKeysTPM` has one for chips,
/// `HardwareKeysApple` one for the Secure Enclave.
public protocol KeyVaultSource: Sendable {
    /// Opens the vault that belongs to a directory, or makes it when there is none.
    ///
    /// The directory is private (mode 0700) or does not exist yet; what the vault keeps lies in a folder of its own below
    /// it. Throws `KeyVaultError.hardwareUnavailable` and its siblings when the hardware is out of reach, and never
    /// answers with a vault of another kind instead.
    func vault(inDirectory directory: String) async throws(KeyVaultError) -> any KeyVault
}
