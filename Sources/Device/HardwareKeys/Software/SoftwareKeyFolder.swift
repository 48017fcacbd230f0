import Octets

/// The key files of a software vault; every change is made under the lock of the vault.
struct SoftwareKeyFolder: Sendable {
    private let directory: String
    private let fileSystem: any FileSystem
    private let seal: VaultSeal

    init(of directory: String, on fileSystem: any FileSystem, sealedBy seal: VaultSeal) {
        self.directory = directory
        self.fileSystem = fileSystem
        self.seal = seal
    }

    /// Makes the folder; the vault's own one is there.
    static func create(in directory: String, on fileSystem: any FileSystem) throws(FileSystemError) {
        try fileSystem.makeDirectory(directory + "/keys")
    }

    static func lock(_ directory: String, on fileSystem: any FileSystem) async throws(KeyVaultError) -> FileLock {
        do {
            return try await fileSystem.lock(directory + "/lock")
        } catch {
            throw KeyVaultError(error)
        }
    }

    // MARK: - Files

    func record(of reference: KeyReference) throws(KeyVaultError) -> SoftwareKeyRecord {
        guard let record = try read(reference) else { throw .unknownKey }
        return record
    }

    func add(_ record: SoftwareKeyRecord, named reference: KeyReference) async throws(KeyVaultError) {
        let lock = try await Self.lock(directory, on: fileSystem)
        defer { lock.release() }
        guard try !file(reference).exists() else { throw .duplicateKey }
        try write(record, named: reference)
    }

    /// Removes the file, and what a crash may have left beside it.
    func remove(_ reference: KeyReference) async throws(KeyVaultError) {
        let lock = try await Self.lock(directory, on: fileSystem)
        defer { lock.release() }
        try file(reference, ".new").remove()
        try file(reference).remove()
    }

    // MARK: - Private keys

    func sealed(
        _ privateKey: SoftwarePrivateKey, of reference: KeyReference, under secret: VaultSecret?
    ) throws(KeyVaultError) -> [UInt8] {
        try privateKey.withUnsafeBytes { bytes throws(KeyVaultError) in
            try seal.seal(bytes, for: Self.context(of: reference), with: secret)
        }
    }

    /// The private key that a record holds; nil when the secret is not the one it was sealed under.
    func privateKey(
        in record: SoftwareKeyRecord, of reference: KeyReference, under secret: VaultSecret?
    ) -> SoftwarePrivateKey? {
        guard let octets = seal.open(record.privateKey, for: Self.context(of: reference), with: secret) else {
            return nil
        }
        return SoftwarePrivateKey(record.requirements.algorithm, octets)
    }

    /// Tries a secret: the count of a key that counts is raised and durable before, and set back after a success.
    ///
    /// `change` alters the record of a key whose secret was right. A crash in between costs an attempt and never gives
    /// one: what reaches the disk is the raised count, or the one that a success set back.
    func tried(
        _ secret: VaultSecret, on reference: KeyReference,
        _ change: (inout SoftwareKeyRecord, SoftwarePrivateKey) throws(KeyVaultError) -> Void = { _, _ in }
    ) async throws(KeyVaultError) -> SoftwarePrivateKey {
        let lock = try await Self.lock(directory, on: fileSystem)
        defer { lock.release() }
        let before = try record(of: reference)
        guard before.requirements.authorization.takesSecret else { throw .wrongUse }
        var counted = before
        try counted.countAttempt()
        if counted != before { try write(counted, named: reference) }
        guard let key = privateKey(in: counted, of: reference, under: secret) else { throw .wrongSecret }
        var after = counted
        after.succeed()
        try change(&after, key)
        if after != counted { try write(after, named: reference) }
        return key
    }

    private func read(_ reference: KeyReference) throws(KeyVaultError) -> SoftwareKeyRecord? {
        guard let payload = try file(reference).readPayload() else { return nil }
        guard let octets = seal.open(payload, for: Self.fileContext(of: reference)) else { throw .damaged }
        // The private key in it is sealed once more.
        return try SoftwareKeyRecord(octets: octets.withUnsafeBytes { Array($0) })
    }

    private func write(_ record: SoftwareKeyRecord, named reference: KeyReference) throws(KeyVaultError) {
        let payload = try SecretOctets(copying: record.octets).withUnsafeBytes { bytes throws(KeyVaultError) in
            try seal.seal(bytes, for: Self.fileContext(of: reference))
        }
        try file(reference).write(payload: payload)
    }

    private func file(_ reference: KeyReference, _ suffix: String = "") -> VaultFile {
        let name = Hex.encode(reference.bytes) + ".key" + suffix
        return VaultFile(AtomicFile(named: name, in: directory + "/keys", of: fileSystem), magic: "SGNK", version: 2)
    }

    private static func fileContext(of reference: KeyReference) -> VaultSeal.Context {
        VaultSeal.Context("key file", reference.bytes)
    }

    private static func context(of reference: KeyReference) -> VaultSeal.Context {
        VaultSeal.Context("private key", reference.bytes)
    }
}
