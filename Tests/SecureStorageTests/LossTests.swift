import HardwareKeys
import SecureStorage
import Synchronization
import TestSupport
import Testing

@Suite("3.7, 6.3 and 7: every kind of loss has its own error")
struct LossTests {
    private var place: StoragePlace

    init() throws {
        place = try StoragePlace()
        place.environment.acceptsCheapPassphrases = true
        place.configuration.kdf = .scrypt(rounds: 16, blockSize: 8, parallelism: 1)
    }

    private func written(_ fingerprint: String?) async throws {
        let storage = try await place.open(fingerprint: fingerprint)
        try storage.putString("value", forKey: "name")
        try await storage.write()
    }

    @Test(
        "Another fingerprint, none, or another case of letters is a mismatch, and the right one opens afterwards",
        arguments: ["fingerprin", "Fingerprint", "", nil])
    func fingerprint(wrong: String?) async throws {
        try await written("fingerprint")
        await #expect(throws: SecureStorageError.fingerprintMismatch) { try await place.open(fingerprint: wrong) }
        #expect(try await place.open(fingerprint: "fingerprint").getString(forKey: "name") == "value")
    }

    @Test("A storage without a fingerprint does not open with one")
    func unexpectedFingerprint() async throws {
        try await written(nil)
        await #expect(throws: SecureStorageError.fingerprintMismatch) { try await place.open(fingerprint: "x") }
    }

    @Test("A fingerprint is changed by a write; the old one is of no use then")
    func changedFingerprint() async throws {
        try await written("old")
        let storage = try await place.open(fingerprint: "old")
        try await storage.write(fingerprint: "new", protection: .none)
        try storage.putString("second", forKey: "name")
        try await storage.write()
        try await storage.reload()
        storage.unload()
        try await storage.load(fingerprint: "new")
        #expect(try await place.open(fingerprint: "new").getString(forKey: "name") == "second")
        await #expect(throws: SecureStorageError.fingerprintMismatch) { try await place.open(fingerprint: "old") }
    }

    @Test("Another passphrase, or none, is a mismatch, and the right one opens afterwards")
    func passphrase() async throws {
        var secret = place
        secret.configuration.passphrase = .init(copying: "correct horse".utf8)
        let storage = try await secret.open()
        try storage.putString("value", forKey: "name")
        try await storage.write()
        await #expect(throws: SecureStorageError.passphraseMismatch) { try await place.open() }
        var wrong = secret
        wrong.configuration.passphrase = .init(copying: "Correct horse".utf8)
        await #expect(throws: SecureStorageError.passphraseMismatch) { try await wrong.open() }
        #expect(try await secret.open().getString(forKey: "name") == "value")
        try await storage.write(passphrase: wrong.configuration.passphrase)
        #expect(try await wrong.open().getString(forKey: "name") == "value")
        await #expect(throws: SecureStorageError.passphraseMismatch) { try await secret.open() }
        try await storage.write(passphrase: nil)
        #expect(try await place.open().getString(forKey: "name") == "value")
    }

    @Test("PBKDF2 is read as well; a cost that production would not take is refused")
    func costs() async throws {
        var secret = place
        secret.configuration.passphrase = .init(copying: "correct horse".utf8)
        for kdf in [
            SecureStorage.KeyDerivation.pbkdf2SHA512(rounds: 1_000), .scrypt(rounds: 16, blockSize: 1, parallelism: 2),
        ] {
            secret.configuration.kdf = kdf
            let storage = try await secret.open("kdf")
            try storage.putString("value", forKey: "name")
            try await storage.write()
            #expect(try await secret.open("kdf").getString(forKey: "name") == "value")
            var strict = secret
            strict.environment.acceptsCheapPassphrases = false
            await #expect(throws: SecureStorageError.unreadableStorage(.unacceptableCost)) {
                try await strict.open("kdf")
            }
        }
        secret.configuration.kdf = .argon2id(memoryKibibytes: 8_192, passes: 1, lanes: 1)
        await #expect(throws: SecureStorageError.unreadableStorage(.argon2Missing)) { try await secret.open("argon") }
        for monstrous in [
            SecureStorage.KeyDerivation.scrypt(rounds: 1 << 30, blockSize: 8, parallelism: 1),
            .scrypt(rounds: 100, blockSize: 8, parallelism: 1), .scrypt(rounds: 1 << 15, blockSize: 8, parallelism: 0),
            .pbkdf2SHA512(rounds: .max), .pbkdf2SHA512(rounds: 0),
        ] {
            secret.configuration.kdf = monstrous
            await #expect(throws: SecureStorageError.unreadableStorage(.unacceptableCost)) {
                try await secret.open("monster")
            }
        }
    }

    @Test("A storage whose passphrase costs something else than configured is written anew when it is loaded")
    func migration() async throws {
        var secret = place
        secret.configuration.passphrase = .init(copying: "correct horse".utf8)
        let storage = try await secret.open()
        try storage.putString("value", forKey: "name")
        try await storage.write()
        secret.configuration.kdf = .scrypt(rounds: 32, blockSize: 8, parallelism: 1)
        secret.configuration.migrateOnLoad = false
        await #expect(throws: SecureStorageError.migrationNeeded) { try await secret.open() }
        secret.configuration.migrateOnLoad = true
        #expect(try await secret.open().getString(forKey: "name") == "value")
        #expect(try place.file()[52..<56] == [32, 0, 0, 0])
        secret.configuration.migrateOnLoad = false
        #expect(try await secret.open().getString(forKey: "name") == "value")
    }

    @Test("A chip that is missing, busy or cleared is told apart, and nothing is lost by asking")
    func hardware() async throws {
        var hard = place
        let vault = try await CountingVault(inDirectory: place.folder.path + "/chip")
        hard.configuration.hardware = .required
        hard.configuration.vault = vault
        let storage = try await hard.open()
        try storage.putString("value", forKey: "name")
        try await storage.write()
        #expect(storage.isSecureHardwareProtected)
        #expect(storage.protectionStatement.provider == .trustedPlatformModule)
        let table: [(KeyVaultError, SecureStorageError)] = [
            (.hardwareUnavailable, .secureHardwareUnavailable), (.hardwareBusy, .secureHardwareBusy),
            (.hardwareOccupied, .secureHardwareBusy),
            (.unrecoverable, .unrecoverableKey), (.damaged, .storageCorrupted),
            (.storageFailed(code: 5), .ioFailure(code: 5)),
        ]
        for (failure, expected) in table {
            vault.fail(failure)
            await #expect(throws: expected) { try await hard.open() }
        }
        // A plain commit needs no hardware.
        try storage.putString("second", forKey: "name")
        try await storage.write()
        vault.fail(nil)
        #expect(try await hard.open().getString(forKey: "name") == "second")
    }

    @Test(
        "Where hardware is required and missing no storage is made; where it is preferred a file says that it was not")
    func fallback() async throws {
        var hard = place
        let vault = try await CountingVault(inDirectory: place.folder.path + "/chip")
        hard.configuration.vault = vault
        hard.configuration.hardware = .required
        vault.fail(.hardwareUnavailable)
        await #expect(throws: SecureStorageError.secureHardwareUnavailable) { try await hard.open() }
        hard.configuration.hardware = .preferred
        let storage = try await hard.open()
        try await storage.write()
        #expect(!storage.isSecureHardwareProtected)
        #expect(try place.file()[50] == 1)
        vault.fail(nil)
        #expect(try await !hard.open().isSecureHardwareProtected)
        hard.configuration.hardware = .required
        await #expect(throws: SecureStorageError.secureHardwareUnavailable) { try await hard.open() }
        vault.fail(.hardwareBusy)
        hard.configuration.hardware = .preferred
        await #expect(throws: SecureStorageError.secureHardwareBusy) { try await hard.open("other") }
        var soft = place
        soft.configuration.hardware = .required
        await #expect(throws: SecureStorageError.secureHardwareUnavailable) { try await soft.open("other") }
    }

    @Test("A storage of a chip does not open with a vault of another kind")
    func foreignProvider() async throws {
        var hard = place
        hard.configuration.vault = try await CountingVault(inDirectory: place.folder.path + "/chip")
        try await hard.open().write()
        await #expect(throws: SecureStorageError.secureHardwareUnavailable) { try await place.open() }
    }

    @Test("With other software keys than those that sealed it the key of a storage is gone")
    func lostSoftwareKeys() async throws {
        try await written(nil)
        let other = try StoragePlace()
        _ = try await other.open()
        let own = try place.folder.bytes(of: "storages/software-keys/device-key")
        try place.folder.overwrite(
            "storages/software-keys/device-key", with: other.folder.bytes(of: "storages/software-keys/device-key"))
        await #expect(throws: SecureStorageError.unrecoverableKey) { try await place.open() }
        try place.folder.overwrite("storages/software-keys/device-key", with: own)
        #expect(try await place.open().getString(forKey: "name") == "value")
        var elsewhere = place
        elsewhere.configuration.vault = try await SoftwareKeyVault.create(inDirectory: place.folder.path + "/other")
        await #expect(throws: SecureStorageError.unrecoverableKey) { try await elsewhere.open() }
    }
}
