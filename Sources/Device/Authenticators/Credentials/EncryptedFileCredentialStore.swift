import Crypto
package import HardwareKeys

/// A store in one file, encrypted and authenticated under a key of the device's vault.
///
/// The file is replaced as a whole and never changed in place; a copy of an older file brings its older attempt counts
/// back (no software-only store can prevent that).
package struct EncryptedFileCredentialStore: CredentialStore {
    private static let fileName = "credentials"
    private static let lockName = "credentials.lock"
    private static let purpose = "signet credential store v1"

    let file: AtomicFile
    let seal: CredentialFileSeal
    let lockPath: String
    let fileSystem: any FileSystem

    /// Opens the store in a private directory, or makes an empty one.
    package static func open(
        inDirectory directory: String, sealedBy vault: any KeyVault, of fileSystem: any FileSystem = PosixFileSystem()
    ) async throws(CredentialStoreError) -> EncryptedFileCredentialStore {
        let secret: VaultSecret
        do {
            secret = try await vault.deviceSecret(for: purpose)
        } catch {
            throw .vault(error)
        }
        do {
            try fileSystem.makeDirectory(directory)
        } catch {
            throw CredentialStoreError(error)
        }
        let store = EncryptedFileCredentialStore(
            file: AtomicFile(named: fileName, in: directory, of: fileSystem), seal: CredentialFileSeal(secret),
            lockPath: directory + "/" + lockName, fileSystem: fileSystem)
        try store.createIfAbsent()
        return store
    }

    package func contents() async throws(CredentialStoreError) -> StoredCredentials {
        try read()
    }

    private func read() throws(CredentialStoreError) -> StoredCredentials {
        let bytes: [UInt8]
        do {
            bytes = try file.read(atMost: CredentialFileSeal.byteLimit)
        } catch .absent {
            // It was there when the store was opened.
            throw .damaged
        } catch {
            throw CredentialStoreError(error)
        }
        return try seal.open(bytes)
    }

    package func update<Value>(
        _ change: (inout StoredCredentials) -> Value
    ) async throws(CredentialStoreError) -> Value {
        let lock = try takeLock()
        defer { lock.release() }
        let before = try read()
        var after = before
        let value = change(&after)
        if after != before { try write(after) }
        return value
    }

    private func createIfAbsent() throws(CredentialStoreError) {
        let lock = try takeLock()
        defer { lock.release() }
        do {
            _ = try file.read(atMost: CredentialFileSeal.byteLimit)
        } catch .absent {
            try write(StoredCredentials(installation: .fresh()))
        } catch {
            throw CredentialStoreError(error)
        }
    }

    private func takeLock() throws(CredentialStoreError) -> FileLock {
        do {
            return try fileSystem.lock(lockPath)
        } catch {
            throw CredentialStoreError(error)
        }
    }

    private func write(_ contents: StoredCredentials) throws(CredentialStoreError) {
        let sealed = try seal.seal(contents)
        do {
            try file.replace(with: sealed)
        } catch {
            throw CredentialStoreError(error)
        }
    }
}
