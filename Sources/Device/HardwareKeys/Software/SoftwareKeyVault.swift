import Crypto
import Octets

/// A vault in a directory: keys lie in files that only their owner may read.
///
/// The directory holds `device-key` (32 random bytes, made once) and one sealed file per key under `keys`. The device
/// key seals the other files, so a changed or foreign file is noticed; it does not protect against somebody who copies
/// the whole directory. Use a hardware vault where one is available.
public final class SoftwareKeyVault: KeyVault {
    /// Always ``KeyVaultProtection/software``.
    public let protection = KeyVaultProtection.software

    /// Says that a copy of the files is a copy of the keys.
    public let protectionStatement = """
        Keys are kept in files that only this user account may read. They are not in secure hardware: whoever can read \
        the files of this account (another program of the same user, the administrator, a backup) can copy them.
        """

    private let directory: String
    private let fileSystem: any FileSystem
    private let deviceKey: SymmetricKey

    /// Makes a vault in a directory that is private (mode 0700) or does not exist yet, and opens it.
    ///
    /// Throws ``KeyVaultError/alreadyInitialized`` when a vault is there, ``KeyVaultError/exposed`` when others may
    /// enter the directory, ``KeyVaultError/busy``, and ``KeyVaultError/storageFailed(code:)``.
    public static func create(inDirectory directory: String) throws(KeyVaultError) -> SoftwareKeyVault {
        try create(inDirectory: directory, of: PosixFileSystem())
    }

    /// Opens the vault that ``create(inDirectory:)`` made.
    ///
    /// Throws ``KeyVaultError/notInitialized`` when there is none, ``KeyVaultError/exposed`` when others may read it,
    /// ``KeyVaultError/damaged`` or ``KeyVaultError/newerFormat(version:)`` when the device key is not readable, and
    /// ``KeyVaultError/storageFailed(code:)``.
    public static func open(inDirectory directory: String) throws(KeyVaultError) -> SoftwareKeyVault {
        try open(inDirectory: directory, of: PosixFileSystem())
    }

    /// Makes a vault on a file system of the caller's choice.
    package static func create(
        inDirectory directory: String, of fileSystem: any FileSystem
    ) throws(KeyVaultError) -> SoftwareKeyVault {
        let lock: FileLock
        do {
            try fileSystem.makeDirectory(directory)
            try fileSystem.makeDirectory(directory + "/keys")
            lock = try fileSystem.lock(directory + "/lock")
        } catch {
            throw KeyVaultError(error)
        }
        defer { lock.release() }
        let file = deviceKeyFile(in: directory, of: fileSystem)
        guard try file.readPayload() == nil else { throw .alreadyInitialized }
        var fresh = FreshOctets.make(count: DeviceSecret.byteCount)
        defer { SecretOctets.wipe(&fresh) }
        try file.write(payload: fresh)
        return try open(inDirectory: directory, of: fileSystem)
    }

    /// Opens a vault on a file system of the caller's choice.
    package static func open(
        inDirectory directory: String, of fileSystem: any FileSystem
    ) throws(KeyVaultError) -> SoftwareKeyVault {
        guard var payload = try deviceKeyFile(in: directory, of: fileSystem).readPayload() else {
            throw .notInitialized
        }
        defer { SecretOctets.wipe(&payload) }
        guard payload.count == DeviceSecret.byteCount else { throw .damaged }
        return SoftwareKeyVault(directory: directory, fileSystem: fileSystem, deviceKey: SymmetricKey(data: payload))
    }

    private init(directory: String, fileSystem: any FileSystem, deviceKey: SymmetricKey) {
        self.directory = directory
        self.fileSystem = fileSystem
        self.deviceKey = deviceKey
    }

    /// Makes a P-256 key in a file of its own.
    ///
    /// Throws the storage cases of ``KeyVaultError``.
    public func createKey(_ requirements: KeyRequirements) async throws(KeyVaultError) -> KeyReference {
        guard requirements.use == .signing else { throw .unsupportedRequirements }
        let reference = KeyReference.fresh()
        try keyFile(for: reference).write(P256.Signing.PrivateKey())
        return reference
    }

    /// The public key of one of this vault's keys as SubjectPublicKeyInfo (DER, 91 bytes).
    ///
    /// Throws ``KeyVaultError/unknownKey``, ``KeyVaultError/damaged`` and the storage cases.
    public func publicKey(of reference: KeyReference) async throws(KeyVaultError) -> [UInt8] {
        Array(try keyFile(for: reference).read().publicKey.derRepresentation)
    }

    /// Signs with one of this vault's keys; the result is r and s, 64 bytes.
    ///
    /// Throws ``KeyVaultError/unknownKey``, ``KeyVaultError/damaged`` and the storage cases.
    public func sign(_ message: [UInt8], with reference: KeyReference) async throws(KeyVaultError) -> [UInt8] {
        let key = try keyFile(for: reference).read()
        do {
            return Array(try key.signature(for: message).rawRepresentation)
        } catch {
            throw .damaged
        }
    }

    /// Removes a key and its file.
    ///
    /// Throws the storage cases.
    public func deleteKey(_ reference: KeyReference) async throws(KeyVaultError) {
        try keyFile(for: reference).remove()
    }

    /// A secret made from the device key for one purpose (HKDF-SHA256, RFC 5869).
    ///
    /// This vault throws nothing here.
    public func deviceSecret(for purpose: String) async throws(KeyVaultError) -> DeviceSecret {
        let derived = derivedKey(for: "secret:" + purpose)
        guard let secret = derived.withUnsafeBytes({ DeviceSecret(copying: $0) }) else { throw .damaged }
        return secret
    }

    private func keyFile(for reference: KeyReference) -> SoftwareKeyFile {
        let name = Hex.encode(reference.bytes) + ".key"
        return SoftwareKeyFile(
            VaultFile(AtomicFile(named: name, in: directory + "/keys", of: fileSystem), magic: "SGNK"),
            reference: reference, sealingKey: derivedKey(for: "vault:key file"))
    }

    private func derivedKey(for purpose: String) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: deviceKey, info: Array(("signet device key v1 " + purpose).utf8),
            outputByteCount: DeviceSecret.byteCount)
    }

    private static func deviceKeyFile(in directory: String, of fileSystem: any FileSystem) -> VaultFile {
        VaultFile(AtomicFile(named: "device-key", in: directory, of: fileSystem), magic: "SGND")
    }
}
