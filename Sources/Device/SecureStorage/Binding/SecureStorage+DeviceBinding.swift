import Crypto
import HardwareKeys
import Octets

/// Text that identifies a device; the same as `SecureStorage.DeviceBinding`.
///
/// ```swift
/// let fingerprint = try await DeviceBinding.fingerprint(
///     salt: Array("my storage, v1  ".utf8), kind: .hardwareWithFallback, configuration: configuration)
/// ```
public typealias DeviceBinding = SecureStorage.DeviceBinding

extension SecureStorage {
    /// Text that identifies this device: for the same salt always the same, on another device another.
    ///
    /// It serves as the fingerprint of a storage. It has no user gate on purpose. Kinds are unrelated: there is no way
    /// from one text to another.
    public enum DeviceBinding {
        /// Source of the identity that the text is bound to.
        @nonexhaustive
        public enum Kind: UInt8, Hashable, Sendable {
            /// A chip: a copy of the disk has another text. It changes when the chip is cleared.
            case hardware = 1
            /// A chip if the configuration has one, else a file of this account, which can be copied.
            ///
            /// A chip that is configured and does not answer is an error: the text must not change by itself.
            case hardwareWithFallback = 2
            /// The installation of the operating system (Linux: `/etc/machine-id`, never shown as it is). It changes
            /// when the system is installed anew and can be copied by an administrator.
            case osIdentifier = 3
        }

        /// The fewest bytes of a salt.
        public static let leastSaltByteCount = 16

        private static let domain = "signet device binding v1"

        /// Makes the text: 64 lower-case hexadecimal digits, SHA-256 over domain, kind, what the device adds, and salt.
        ///
        /// Take another `salt`, of 16 bytes or more, for each purpose. Of the configuration counts where the vault and
        /// the directory are. Throws ``SecureStorageError/valueInvalid`` for a salt that is too short,
        /// ``SecureStorageError/secureHardwareUnavailable`` and the other cases for hardware and files;
        /// ``SecureStorageError/configurationInvalid`` where the operating system has no identifier.
        @concurrent
        public static func fingerprint(
            salt: [UInt8], kind: Kind = .hardware, configuration: Configuration = Configuration()
        ) async throws(SecureStorageError) -> String {
            try await fingerprint(
                salt: salt, kind: kind, configuration: configuration, environment: .system)
        }

        /// Does the same in an environment that the caller chooses, as tests do.
        @concurrent
        package static func fingerprint(
            salt: [UInt8], kind: Kind, configuration: Configuration, environment: StorageEnvironment
        ) async throws(SecureStorageError) -> String {
            guard salt.count >= leastSaltByteCount else { throw .valueInvalid }
            let device = try await deviceOctets(kind, configuration, environment)
            return Hex.encode(SHA256.hash(data: Array(domain.utf8) + [kind.rawValue] + device + salt))
        }

        private static func deviceOctets(
            _ kind: Kind, _ configuration: Configuration, _ environment: StorageEnvironment
        ) async throws(SecureStorageError) -> [UInt8] {
            if kind == .osIdentifier {
                guard let machine = environment.machineIdentifier() else { throw .configurationInvalid }
                return machine.withUnsafeBytes { authenticated($0) }
            }
            let vault = try await vault(kind, configuration, environment)
            do {
                let secret = try await vault.deviceSecret(for: domain)
                return secret.withUnsafeBytes { authenticated($0) }
            } catch {
                throw SecureStorageError(error)
            }
        }

        private static func vault(
            _ kind: Kind, _ configuration: Configuration, _ environment: StorageEnvironment
        ) async throws(SecureStorageError) -> any KeyVault {
            if let vault = configuration.vault, vault.provider.isSecureHardware { return vault }
            guard kind == .hardwareWithFallback else { throw .secureHardwareUnavailable }
            guard let directory = configuration.directory ?? DeviceTraits.standard else { throw .configurationInvalid }
            var software = configuration
            software.hardware = .none
            let fileSystem = environment.fileSystem(for: configuration)
            do {
                try fileSystem.makeDirectory(directory)
            } catch {
                throw SecureStorageError(error)
            }
            let choice = VaultChoice(configuration: software, fileSystem: fileSystem, directory: directory)
            guard let vault = try await choice.vaultsForCreation().first else { throw .configurationInvalid }
            return vault
        }

        private static func authenticated(_ key: UnsafeRawBufferPointer) -> [UInt8] {
            Array(domain.utf8).withUnsafeBytes { KeyedHash(key: key).code(of: $0) }
        }
    }
}
