import Authenticators
import Foundation
import HardwareKeys
import Octets

#if canImport(LocalAuthentication) && canImport(CryptoKit)
    import HardwareKeysApple
#else
    import HardwareKeysTPM
#endif

/// Platform services that this was compiled for: hardware for keys, user presence, identity of the installation.
enum PlatformHardware {
    private static let purpose = "device identifier"

    #if canImport(LocalAuthentication) && canImport(CryptoKit)
        /// The Secure Enclave, with the keys of this application.
        static var keys: any KeyVaultSource { SecureEnclaveKeys(named: MetaData.bundleIdentifier) }

        /// Face ID, Touch ID and the passcode: the system asks by itself, so nothing has to be given.
        static var presence: (any UserPresence)? { AppleUserPresence(reason: SDKText.confirmIdentity.localized) }

        /// An identifier that lies with the keys in the keychain, and stays there when the application is deleted.
        static func installationID(_ vault: any KeyVault, in directory: String) async -> String? {
            guard vault.provider == .secureEnclave, let secret = try? await vault.deviceSecret(for: purpose) else {
                return nil
            }
            return Hex.encode(secret.withUnsafeBytes { Array($0.prefix(16)) })
        }
    #else
        /// The TPM of this machine, or the one that the environment names.
        static var keys: any KeyVaultSource { TrustedPlatformModule(.environment) }

        /// None: the application has to say where a passcode is typed.
        static var presence: (any UserPresence)? { nil }

        /// An identifier derived from that of the machine, for this application in this folder.
        static func installationID(_ vault: any KeyVault, in directory: String) async -> String? {
            guard let machine = try? Data(contentsOf: URL(filePath: "/etc/machine-id")) else { return nil }
            return InstallationIdentity.derive(
                fromMachine: Array(machine), for: [purpose, MetaData.bundleIdentifier, directory]
            ).map(Hex.encode)
        }
    #endif
}
