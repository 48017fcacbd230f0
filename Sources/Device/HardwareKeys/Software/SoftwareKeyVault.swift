import Crypto

/// A vault in a directory: keys lie in files that only their owner may read.
///
/// The directory holds `device-key` (32 random bytes, made once) and one sealed file per key under `keys`. The device
/// key seals the other files, so a changed or foreign file is noticed. It does not protect against an attacker who copies
/// the whole directory, nor against one who puts an older copy of a file back: that gives used attempts back. Use a
/// hardware vault where one is available.
///
/// A key with a secret is sealed under device key and secret together; no verifier of the secret is stored.
///
/// Every call works on the concurrency pool, whichever actor it comes from; it may read, write and wait for the disk.
///
/// ```swift
/// do {
///     vault = try await SoftwareKeyVault.open(inDirectory: directory)
/// } catch .notInitialized {
///     vault = try await SoftwareKeyVault.create(inDirectory: directory)
/// }
/// ```
public final class SoftwareKeyVault: KeyVault {
    /// Always ``KeyProvider/software``.
    public let provider = KeyProvider.software

    /// Says that a copy of the files is a copy of the keys, and that this program alone counts attempts.
    public let protectionStatement = ProtectionStatement(
        provider: .software, attemptCounting: .software, userGate: .software, rollbackDetection: .absent,
        text: """
            Keys are kept in files that only this user account may read. They are not in secure hardware: another \
            program of the same user, the administrator or a reader of a backup can copy them. This program counts wrong \
            PINs and keeps waits; an attacker who puts an older copy of the files back gets the used attempts back, and \
            one who copies the files can try PINs elsewhere without a limit. Only this program checks that a user is \
            present.
            """)

    private let keys: SoftwareKeyFolder
    private let secrets: SoftwareSealedSecret
    private let seal: VaultSeal

    /// Makes a vault in a directory that is private (mode 0700) or does not exist yet, and opens it.
    ///
    /// Throws ``KeyVaultError/alreadyInitialized`` when a vault is there, ``KeyVaultError/exposed`` when others may
    /// enter the directory, ``KeyVaultError/busy``, and ``KeyVaultError/storageFailed(code:)``.
    @concurrent
    public static func create(inDirectory directory: String) async throws(KeyVaultError) -> SoftwareKeyVault {
        try await create(inDirectory: directory, of: PosixFileSystem())
    }

    /// Opens the vault that ``create(inDirectory:)`` made.
    ///
    /// Throws ``KeyVaultError/notInitialized`` when there is none, ``KeyVaultError/exposed`` when others may read it,
    /// ``KeyVaultError/damaged`` or ``KeyVaultError/newerFormat(version:)`` when the device key is not readable, and
    /// ``KeyVaultError/storageFailed(code:)``.
    @concurrent
    public static func open(inDirectory directory: String) async throws(KeyVaultError) -> SoftwareKeyVault {
        try await open(inDirectory: directory, of: PosixFileSystem())
    }

    @concurrent
    package static func create(
        inDirectory directory: String, of fileSystem: any FileSystem
    ) async throws(KeyVaultError) -> SoftwareKeyVault {
        do {
            try fileSystem.makeDirectory(directory)
            try SoftwareKeyFolder.create(in: directory, on: fileSystem)
        } catch {
            throw KeyVaultError(error)
        }
        let lock = try await SoftwareKeyFolder.lock(directory, on: fileSystem)
        defer { lock.release() }
        let file = deviceKeyFile(in: directory, of: fileSystem)
        guard try file.readPayload() == nil else { throw .alreadyInitialized }
        try file.write(secret: .random())
        return try await open(inDirectory: directory, of: fileSystem)
    }

    @concurrent
    package static func open(
        inDirectory directory: String, of fileSystem: any FileSystem
    ) async throws(KeyVaultError) -> SoftwareKeyVault {
        guard let deviceKey = try deviceKeyFile(in: directory, of: fileSystem).readSecret() else {
            throw .notInitialized
        }
        let seal = VaultSeal(deviceKey)
        return SoftwareKeyVault(
            keys: SoftwareKeyFolder(of: directory, on: fileSystem, sealedBy: seal), seal: seal)
    }

    private init(keys: SoftwareKeyFolder, seal: VaultSeal) {
        self.keys = keys
        self.seal = seal
        secrets = SoftwareSealedSecret(seal)
    }

    private static func deviceKeyFile(in directory: String, of fileSystem: any FileSystem) -> VaultFile {
        VaultFile(AtomicFile(named: "device-key", in: directory, of: fileSystem), magic: "SGND")
    }

    // MARK: - Keys

    /// Makes a key in a new file.
    ///
    /// Throws ``KeyVaultError/duplicateKey``, ``KeyVaultError/wrongUse`` when there is a secret that the key does not
    /// ask for or when one is missing, ``KeyVaultError/unsupportedRequirements`` for a limit of 0 and for an RSA key
    /// that is not for signing, and the storage cases.
    @concurrent
    public func createKey(
        _ requirements: KeyRequirements, named reference: KeyReference, authorizedBy secret: VaultSecret?
    ) async throws(KeyVaultError) {
        if case .countedSecret(limit: 0) = requirements.authorization { throw .unsupportedRequirements }
        guard requirements.authorization.takesSecret == (secret != nil) else { throw .wrongUse }
        guard requirements.use == .signing || requirements.algorithm == .p256 else { throw .unsupportedRequirements }
        let (key, publicKey) = try SoftwarePrivateKey.make(requirements.algorithm)
        let record = SoftwareKeyRecord(
            requirements: requirements, publicKey: publicKey,
            privateKey: try keys.sealed(key, of: reference, under: secret))
        try await keys.add(record, named: reference)
    }

    /// The public key of one of this vault's keys as SubjectPublicKeyInfo (DER; 91 bytes for P-256, 294 for RSA).
    ///
    /// Throws ``KeyVaultError/unknownKey``, ``KeyVaultError/damaged`` and the storage cases.
    @concurrent
    public func publicKey(of reference: KeyReference) async throws(KeyVaultError) -> [UInt8] {
        try keys.record(of: reference).publicKey
    }

    /// Signs with one of this vault's keys; the result is r and s, 64 bytes, or the 256 bytes of an RSA signature.
    ///
    /// Throws ``KeyVaultError/unknownKey``, ``KeyVaultError/wrongUse``, ``KeyVaultError/wrongSecret``,
    /// ``KeyVaultError/lockedOut``, ``KeyVaultError/userPresence(_:)``, ``KeyVaultError/damaged`` and the storage cases.
    @concurrent
    public func sign(
        _ message: [UInt8], with reference: KeyReference, authorizedBy authorization: KeyAuthorization
    ) async throws(KeyVaultError) -> [UInt8] {
        try await privateKey(of: reference, for: .signing, shown: authorization).signature(over: message)
    }

    /// Agrees on a secret; the other party's point is judged before anything is counted.
    ///
    /// Throws ``KeyVaultError/invalidPublicKey`` and what ``sign(_:with:authorizedBy:)`` throws.
    @concurrent
    public func agree(
        with publicKey: [UInt8], using reference: KeyReference, authorizedBy authorization: KeyAuthorization
    ) async throws(KeyVaultError) -> VaultSecret {
        // Judged first: what another party sent must not cost the user an attempt.
        guard publicKey.count == 65, let point = try? P256.KeyAgreement.PublicKey(x963Representation: publicKey) else {
            throw .invalidPublicKey
        }
        return try await privateKey(of: reference, for: .agreement, shown: authorization).agreement(with: point)
    }

    /// Removes a key, its count and what a crash has left of them.
    ///
    /// Throws the storage cases.
    @concurrent
    public func deleteKey(_ reference: KeyReference) async throws(KeyVaultError) {
        try await keys.remove(reference)
    }

    // MARK: - Secrets of keys

    /// The count in the key's file.
    ///
    /// Throws ``KeyVaultError/unknownKey``, ``KeyVaultError/damaged`` and the storage cases.
    @concurrent
    public func attempts(of reference: KeyReference) async throws(KeyVaultError) -> KeyAttempts? {
        try keys.record(of: reference).attempts
    }

    /// Tries a secret: counted and durable before the try, set back after a success.
    ///
    /// Throws what ``sign(_:with:authorizedBy:)`` throws for a key with a secret.
    @concurrent
    public func verify(_ secret: VaultSecret, of reference: KeyReference) async throws(KeyVaultError) {
        _ = try await keys.tried(secret, on: reference)
    }

    /// Seals the key under the new secret in one step, together with setting the count back.
    ///
    /// Throws what ``verify(_:of:)`` throws.
    @concurrent
    public func changeSecret(
        of reference: KeyReference, from old: VaultSecret, to new: VaultSecret
    ) async throws(KeyVaultError) {
        _ = try await keys.tried(old, on: reference) { record, key throws(KeyVaultError) in
            record.privateKey = try keys.sealed(key, of: reference, under: new)
        }
    }

    /// The private key of a key, when it is for that use and what was shown is what it asks for.
    private func privateKey(
        of reference: KeyReference, for use: KeyRequirements.Use, shown authorization: KeyAuthorization
    ) async throws(KeyVaultError) -> SoftwarePrivateKey {
        let record = try keys.record(of: reference)
        guard record.requirements.use == use else { throw .wrongUse }
        switch (record.requirements.authorization, authorization) {
        case (.secret, .secret(let secret)), (.countedSecret, .secret(let secret)):
            return try await keys.tried(secret, on: reference)
        case (.open, .none): break
        case (.userPresence(let gate), _): try Self.require(authorization, for: gate)
        default: throw .wrongUse
        }
        guard let key = keys.privateKey(in: record, of: reference, under: nil) else { throw .damaged }
        return key
    }

    private static func require(
        _ authorization: KeyAuthorization, for gate: UserGate
    ) throws(KeyVaultError) {
        guard case .userPresence(let proof) = authorization, proof.gate == gate else {
            throw .userPresence(.mismatch)
        }
    }

    // MARK: - Secrets of the device

    /// Seals a secret under the device key, with the gate beside it.
    ///
    /// This vault throws nothing here.
    @concurrent
    public func seal(_ secret: VaultSecret, behind gate: UserGate?) async throws(KeyVaultError) -> SealedSecret {
        try secrets.seal(secret, behind: gate)
    }

    /// Opens what ``seal(_:behind:)`` made, when the proof is one for its gate.
    ///
    /// Throws ``KeyVaultError/damaged``, ``KeyVaultError/newerFormat(version:)``, ``KeyVaultError/unrecoverable`` and
    /// ``KeyVaultError/userPresence(_:)``.
    @concurrent
    public func unseal(
        _ sealed: SealedSecret, authorizedBy authorization: KeyAuthorization
    ) async throws(KeyVaultError) -> VaultSecret {
        let (secret, gate) = try secrets.open(sealed)
        if let gate { try Self.require(authorization, for: gate) }
        return secret
    }

    /// A secret made from the device key for one purpose (HKDF-SHA256, RFC 5869).
    ///
    /// This vault throws nothing here.
    @concurrent
    public func deviceSecret(for purpose: String) async throws(KeyVaultError) -> VaultSecret {
        seal.derived(for: VaultSeal.Context("device secret", Array(purpose.utf8)))
    }
}
