import HardwareKeys
import HardwareKeysTPM

/// Storage of the keys of a virtual device: chosen when it is made, and never changed for it.
package enum DeviceKeys: Hashable, Sendable {
    /// Files: an attacker who copies the folder has the keys.
    case software
    /// A TPM 2.0; the connection is named as the TPM2 software stack does it (TCTI), for example `device:/dev/tpmrm0`.
    case trustedPlatformModule(connection: String)

    /// The resource manager of the kernel.
    package static let systemConnection = "device:/dev/tpmrm0"
}

extension DeviceKeys {
    /// Makes the vault in the folder of a device; one that a crash has left there is taken.
    func makeVault(inFolder path: String) async throws(KeyVaultError) {
        do throws(KeyVaultError) {
            switch self {
            case .software: _ = try await SoftwareKeyVault.create(inDirectory: vaultPath(in: path))
            case .trustedPlatformModule(let connection):
                _ = try await TPMKeyVault.create(
                    inDirectory: vaultPath(in: path), connection: TPMConnection(connection))
            }
        } catch .alreadyInitialized {
            _ = try await openVault(inFolder: path)
        }
    }

    func openVault(inFolder path: String) async throws(KeyVaultError) -> any KeyVault {
        switch self {
        case .software: try await SoftwareKeyVault.open(inDirectory: vaultPath(in: path))
        case .trustedPlatformModule(let connection):
            try await TPMKeyVault.open(inDirectory: vaultPath(in: path), connection: TPMConnection(connection))
        }
    }

    /// Takes the vault out of the chip; one that is gone already counts as destroyed.
    ///
    /// A vault in files has nothing elsewhere: it goes with the folder.
    func destroyVault(inFolder path: String) async throws(KeyVaultError) {
        guard case .trustedPlatformModule(let connection) = self else { return }
        do throws(KeyVaultError) {
            try await TPMKeyVault.destroy(
                inDirectory: vaultPath(in: path), connection: TPMConnection(connection))
        } catch .notInitialized {
            return
        }
    }

    /// Each kind has a separate folder, so that one is never taken for the other.
    private func vaultPath(in folder: String) -> String {
        switch self {
        case .software: folder + "/vault"
        case .trustedPlatformModule: folder + "/tpm-vault"
        }
    }
}
