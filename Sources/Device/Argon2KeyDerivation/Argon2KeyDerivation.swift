import CArgon2
public import HardwareKeys
import Octets
public import SecureStorage

/// Argon2id (RFC 9106) of the system's library, for storages whose passphrase is derived with it.
///
/// Lanes are computed one after the other, so the result costs the same on every machine and needs no threads.
///
/// ```swift
/// var configuration = SecureStorage.Configuration(hardware: .none, directory: folder)
/// configuration.argon2 = Argon2KeyDerivation()
/// configuration.kdf = .argon2id(memoryKibibytes: 19_456, passes: 2, lanes: 1)
/// configuration.passphrase = passphrase
/// ```
public struct Argon2KeyDerivation: SecureStorage.Argon2Function {
    /// The function of the system's library; it holds nothing.
    public init() {}

    /// Derives 32 bytes with Argon2id, version 0x13; nil when there is no memory for it.
    ///
    /// `salt` has at least 8 bytes, `memoryKibibytes` is at least 8 for each lane; nil also when they are not.
    public func argon2id(
        of passphrase: SecureStorage.Passphrase, salt: [UInt8], memoryKibibytes: UInt32, passes: UInt32, lanes: UInt32
    ) -> VaultSecret? {
        var derived = [UInt8](repeating: 0, count: VaultSecret.byteCount)
        defer { SecretOctets.wipe(&derived) }
        let status = passphrase.withUnsafeBytes { secret in
            argon2id_hash_raw(
                passes, memoryKibibytes, lanes, secret.baseAddress, secret.count, salt, salt.count, &derived,
                derived.count)
        }
        guard status == ARGON2_OK.rawValue else { return nil }
        return VaultSecret(copying: derived)
    }
}
