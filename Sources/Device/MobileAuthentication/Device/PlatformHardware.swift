import Authenticators
import Foundation
package import HardwareKeys
import Octets

#if canImport(LocalAuthentication) && canImport(CryptoKit)
    import HardwareKeysApple
#else
    import HardwareKeysTPM
#endif

/// Platform services that this was compiled for: hardware for keys, user presence, identity of the installation.
package enum PlatformHardware {
    private static let purpose = "device identifier"

    #if canImport(LocalAuthentication) && canImport(CryptoKit)
        package static var keys: any KeyVaultSource { SecureEnclaveKeys(named: MetaData.bundleIdentifier) }

        /// Face ID, Touch ID and the passcode: the system asks by itself, so nothing has to be given.
        static var presence: (any UserPresence)? { AppleUserPresence(reason: SDKText.confirmIdentity.localized) }

        /// Nothing: a key of the Secure Enclave goes with its registration.
        package static func release(_ source: any KeyVaultSource, in directory: String) async throws(KeyVaultError) {}

        /// An identifier kept with the keys in the keychain, which stays there when the application is deleted.
        static func installationID(_ vault: any KeyVault, in directory: String) async -> String? {
            guard vault.provider == .secureEnclave, let secret = try? await vault.deviceSecret(for: purpose) else {
                return nil
            }
            return Hex.encode(secret.withUnsafeBytes { Array($0.prefix(16)) })
        }
    #else
        /// The TPM of this machine, or the one that the environment names.
        package static var keys: any KeyVaultSource { TrustedPlatformModule(.environment) }

        /// None: the application has to say where a passcode is typed.
        static var presence: (any UserPresence)? { nil }

        /// Gives back what the vault of a folder has taken of the memory of a chip; a folder without one has taken nothing.
        package static func release(_ source: any KeyVaultSource, in directory: String) async throws(KeyVaultError) {
            guard let chip = source as? TrustedPlatformModule else { return }
            do throws(KeyVaultError) {
                try await chip.destroyVault(inDirectory: directory)
            } catch .notInitialized {
                return
            }
        }

        /// An identifier derived from the machine's, for this application in this folder.
        static func installationID(_ vault: any KeyVault, in directory: String) async -> String? {
            guard let machine = try? Data(contentsOf: URL(filePath: "/etc/machine-id")) else { return nil }
            return InstallationIdentity.derive(
                fromMachine: Array(machine), for: [purpose, MetaData.bundleIdentifier, directory]
            ).map(Hex.encode)
        }
    #endif
}
