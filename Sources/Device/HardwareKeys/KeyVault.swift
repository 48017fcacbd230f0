/// A place for keys that cannot be exported.
///
/// The vault makes keys, uses them and destroys them; no call gives a private key out. A vault says in words what its
/// keys are worth, so that an application can show it. The vault of a trusted platform module and the vault of the
/// Secure Enclave conform to the same protocol as ``SoftwareKeyVault``.
///
/// Calls may block on a file or on a chip; they are asynchronous so that a vault can be an actor.
public protocol KeyVault: Sendable {
    /// Where the keys lie.
    var protection: KeyVaultProtection { get }

    /// What protects the keys of this vault and what does not, in words for the person who has to decide.
    var protectionStatement: String { get }

    /// Makes a new key pair and returns the name it has in this vault.
    ///
    /// The key is durable when the call returns. Throws ``KeyVaultError/unsupportedRequirements`` when this vault has
    /// no such keys, and the storage cases.
    func createKey(_ requirements: KeyRequirements) async throws(KeyVaultError) -> KeyReference

    /// The public key as SubjectPublicKeyInfo (DER; RFC 5480, section 2; 91 bytes for P-256).
    ///
    /// Throws ``KeyVaultError/unknownKey`` and the storage cases.
    func publicKey(of reference: KeyReference) async throws(KeyVaultError) -> [UInt8]

    /// Signs with ECDSA on P-256 and SHA-256; the result is r and s, 32 bytes each, most significant byte first.
    ///
    /// `message` is hashed by the vault. Throws ``KeyVaultError/unknownKey`` and the storage cases.
    func sign(_ message: [UInt8], with reference: KeyReference) async throws(KeyVaultError) -> [UInt8]

    /// Destroys a key; a key that is not there counts as destroyed.
    ///
    /// Throws the storage cases.
    func deleteKey(_ reference: KeyReference) async throws(KeyVaultError)

    /// A secret of 32 bytes that only this device can make again: the same for the same purpose, unrelated for others.
    ///
    /// Whoever has it can open what was sealed for that purpose, but learns nothing about other purposes. The caller
    /// keeps it for the length of one use. Throws the storage cases.
    func deviceSecret(for purpose: String) async throws(KeyVaultError) -> DeviceSecret
}
