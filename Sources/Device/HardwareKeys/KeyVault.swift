/// Store of keys that cannot be exported.
///
/// The vault makes keys, uses them and destroys them; no call gives a private key out. A vault says in words what its
/// keys are worth, so that an application can show it. The vault of a trusted platform module and the vault of the
/// Secure Enclave conform to the same protocol as ``SoftwareKeyVault``.
///
/// Calls may block on a file or on a chip; they are asynchronous so that a vault can be an actor. Every call throws the
/// cases of ``KeyVaultError`` for files and hardware that are damaged, busy or out of reach, beside those it names.
///
/// ```swift
/// let pin = KeyRequirements(authorization: .countedSecret(limit: 5))
/// let key = try await vault.createKey(pin, authorizedBy: secret)
/// let publicKey = try await vault.publicKey(of: key)
/// let signature = try await vault.sign(message, with: key, authorizedBy: .secret(secret))
/// ```
public protocol KeyVault: Sendable {
    /// Location of the keys.
    var provider: KeyProvider { get }

    /// Statement of the protection that the keys of this vault have, and of what they lack.
    var protectionStatement: ProtectionStatement { get }

    // MARK: - Keys

    /// Makes a new key pair under a name that the caller has written down before.
    ///
    /// `secret` is what uses will have to show when ``KeyRequirements/authorization-swift.property`` asks for one, and
    /// nil otherwise. The key is durable when the call returns; when it throws there is no such key, or
    /// ``deleteKey(_:)`` removes what is left. Throws ``KeyVaultError/unsupportedRequirements``,
    /// ``KeyVaultError/duplicateKey``, ``KeyVaultError/hardwareFull``, and ``KeyVaultError/wrongUse`` when `secret`
    /// does not fit the requirements.
    func createKey(
        _ requirements: KeyRequirements, named reference: KeyReference, authorizedBy secret: VaultSecret?
    ) async throws(KeyVaultError)

    /// The public key as SubjectPublicKeyInfo (DER; RFC 5480, section 2; 91 bytes for P-256, 294 for RSA).
    ///
    /// Throws ``KeyVaultError/unknownKey``.
    func publicKey(of reference: KeyReference) async throws(KeyVaultError) -> [UInt8]

    /// Signs over SHA-256: on P-256 the result is r and s, 32 bytes each, most significant byte first; with RSA the 256
    /// bytes of a PKCS#1 v1.5 signature.
    ///
    /// `message` is hashed by the vault. Throws ``KeyVaultError/unknownKey``, ``KeyVaultError/wrongUse``,
    /// ``KeyVaultError/wrongSecret``, ``KeyVaultError/lockedOut`` and ``KeyVaultError/userPresence(_:)``.
    func sign(
        _ message: [UInt8], with reference: KeyReference, authorizedBy authorization: KeyAuthorization
    ) async throws(KeyVaultError) -> [UInt8]

    /// Agrees on a secret with ECDH on P-256: the x coordinate of the shared point (RFC 7518, section 4.6).
    ///
    /// `publicKey` is the other party's point, uncompressed (65 bytes, X9.63). Throws
    /// ``KeyVaultError/invalidPublicKey`` and what ``sign(_:with:authorizedBy:)`` throws.
    func agree(
        with publicKey: [UInt8], using reference: KeyReference, authorizedBy authorization: KeyAuthorization
    ) async throws(KeyVaultError) -> VaultSecret

    /// Destroys a key and what counted for it; a key that is not there counts as destroyed.
    func deleteKey(_ reference: KeyReference) async throws(KeyVaultError)

    // MARK: - Secrets of keys

    /// Attempt count of a key; nil for a key whose secrets are not counted.
    ///
    /// Throws ``KeyVaultError/unknownKey``.
    func attempts(of reference: KeyReference) async throws(KeyVaultError) -> KeyAttempts?

    /// Tries a secret without using the key; a wrong one is counted like one that came with a use.
    ///
    /// Throws ``KeyVaultError/unknownKey``, ``KeyVaultError/wrongUse``, ``KeyVaultError/wrongSecret`` and
    /// ``KeyVaultError/lockedOut``.
    func verify(_ secret: VaultSecret, of reference: KeyReference) async throws(KeyVaultError)

    /// Puts a key under a new secret; from then on the old one is wrong. Needs the old one, which counts when wrong.
    ///
    /// After a crash either the old or the new secret is right. Throws what ``verify(_:of:)`` throws.
    func changeSecret(
        of reference: KeyReference, from old: VaultSecret, to new: VaultSecret
    ) async throws(KeyVaultError)

    // MARK: - Secrets of the device

    /// Seals a secret so that only this vault on this device opens it, behind a gate if one is given.
    ///
    /// Nothing is stored by the vault. Throws ``KeyVaultError/unsupportedRequirements``.
    func seal(_ secret: VaultSecret, behind gate: UserGate?) async throws(KeyVaultError) -> SealedSecret

    /// Opens what ``seal(_:behind:)`` made.
    ///
    /// Throws ``KeyVaultError/damaged`` when the bytes were changed, ``KeyVaultError/unrecoverable`` when another
    /// device or a cleared chip is asked, and ``KeyVaultError/userPresence(_:)``.
    func unseal(
        _ sealed: SealedSecret, authorizedBy authorization: KeyAuthorization
    ) async throws(KeyVaultError) -> VaultSecret

    /// A secret that only this device can make again: the same for the same purpose, unrelated for others.
    ///
    /// Its holder can open what was sealed for that purpose, but learns nothing about other purposes. The caller
    /// keeps it for the length of one use.
    func deviceSecret(for purpose: String) async throws(KeyVaultError) -> VaultSecret

    // MARK: - What a chip adds

    /// The counter that tells files from older copies; nil where the vault has none.
    var rollbackAnchor: (any RollbackAnchor)? { get }

    /// Time and reset count of the chip's clock; nil for a vault without a chip that has one.
    func trustedTime() async throws(KeyVaultError) -> TrustedTime?
}

extension KeyVault {
    /// No counter, unless a vault says otherwise.
    public var rollbackAnchor: (any RollbackAnchor)? { nil }

    /// No clock, unless a vault says otherwise.
    public func trustedTime() async throws(KeyVaultError) -> TrustedTime? { nil }

    /// Makes a key under a fresh name, for callers that need not write the name down first.
    ///
    /// Throws what ``createKey(_:named:authorizedBy:)`` throws.
    public func createKey(
        _ requirements: KeyRequirements, authorizedBy secret: VaultSecret? = nil
    ) async throws(KeyVaultError) -> KeyReference {
        let reference = KeyReference.fresh()
        try await createKey(requirements, named: reference, authorizedBy: secret)
        return reference
    }

    /// Signs with an open key.
    ///
    /// Throws what ``sign(_:with:authorizedBy:)`` throws.
    public func sign(_ message: [UInt8], with reference: KeyReference) async throws(KeyVaultError) -> [UInt8] {
        try await sign(message, with: reference, authorizedBy: .none)
    }
}

/// Source of the vault for an application's keys: hardware of one kind, reached in one way.
///
/// The receiver of a source decides where the vault lies, and asks for it once. `HardwareKeysTPM` has one for chips,
/// `HardwareKeysApple` one for the Secure Enclave.
public protocol KeyVaultSource: Sendable {
    /// Opens the vault that belongs to a directory, or makes it when there is none.
    ///
    /// The directory is private (mode 0700) or does not exist yet; the vault keeps its files in a folder below it.
    /// Throws `KeyVaultError.hardwareUnavailable` and its siblings when the hardware is out of reach, and never answers
    /// with a vault of another kind instead.
    func vault(inDirectory directory: String) async throws(KeyVaultError) -> any KeyVault
}

/// Vault whose chip states what it holds, a capability that only some vaults have.
package protocol AttestingKeyVault: KeyVault {
    /// Makes an attestation key.
    ///
    /// Throws `KeyVaultError.unsupportedRequirements` when the chip has no certificate of its manufacturer, and the cases
    /// for hardware.
    func makeAttester() async throws(KeyVaultError) -> any KeyAttester
}
