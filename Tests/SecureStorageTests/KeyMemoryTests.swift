import Crypto
import HardwareKeys
import Octets
import TestSupport
import Testing

@testable import SecureStorage

@Suite("D-L2: the keys of a storage lie in locked pages and nowhere else", .serialized)
struct KeyMemoryTests {
    private typealias Named = (name: String, needle: OwnMemory.Needle)

    private var place: StoragePlace

    init() throws {
        place = try StoragePlace()
        place.environment.acceptsCheapPassphrases = true
        place.configuration.kdf = .scrypt(rounds: 16, blockSize: 8, parallelism: 1)
    }

    @Test("D-L2: after every operation there is no copy of passphrase, hardware key, key-encryption key and root key")
    func operations() async throws {
        var place = place
        let typed = OwnMemory.Needle(count: 24)
        place.configuration.passphrase = SecureStorage.Passphrase(copying: typed.bytes)
        let storage = try await place.open()
        try storage.putString("value", forKey: "key")
        try await storage.write()
        let typedOnes: [Named] = [("passphrase", typed)]
        let needles = try await keys(of: place) + typedOnes
        expectNone(of: needles, after: "write")
        try await storage.load()
        expectNone(of: needles, after: "load")
        _ = try storage.getString(forKey: "key")
        try await storage.update { draft throws(SecureStorageError) in try draft.putString("b", forKey: "key") }
        expectNone(of: needles, after: "update")
        storage.unload()
        try await storage.load(passphrase: SecureStorage.Passphrase(copying: typed.bytes))
        expectNone(of: needles, after: "load with passphrase")
        try await storage.write(protection: .none)
        expectNone(of: try await keys(of: place) + needles, after: "rewrapping")
        storage.unload()
        expectNone(of: needles, after: "unload")
    }

    @Test("D-L3: unload() forgets the passphrase, in the pages made for secrets as well")
    func unloading() async throws {
        let typed = OwnMemory.Needle(count: 24)
        let storage = try await opened(with: typed)
        try storage.putString("value", forKey: "key")
        try await storage.write()
        #expect(OwnMemory.occurrences(of: typed, in: .forSecrets) > 0, "a loaded storage knows its passphrase")
        storage.unload()
        #expect(OwnMemory.occurrences(of: typed, in: .forSecrets) == 0)
        try await storage.load(passphrase: SecureStorage.Passphrase(copying: typed.bytes))
        #expect(try storage.getString(forKey: "key") == "value")
        storage.unload()
        #expect(OwnMemory.occurrences(of: typed, in: .forSecrets) == 0)
        expectNone(of: [("passphrase", typed)], after: "unload")
    }

    private func opened(with passphrase: OwnMemory.Needle) async throws -> SecureStorage {
        var place = place
        place.configuration.passphrase = SecureStorage.Passphrase(copying: passphrase.bytes)
        return try await place.open()
    }

    private func expectNone(of needles: [Named], after operation: String) {
        // Whole ones: of keys that AES was given a half is found after an update or a rewrapping.
        let counts = OwnMemory.occurrences(of: needles.map(\.needle), countingHalves: false)
        for (count, needle) in zip(counts, needles) {
            #expect(count == 0, "\(count) copies of the \(needle.name) after \(operation)")
        }
    }

    /// The keys that lead to the content of the file, found as the storage itself finds them.
    private func keys(of place: StoragePlace) async throws -> [Named] {
        let file = try StoreFile(parsing: try place.file())
        let sealed = try #require(file.wrap[.sealedHardwareKey].flatMap(SealedSecret.init(bytes:)))
        let vault = try await SoftwareKeyVault.open(inDirectory: place.folder.path + "/storages/software-keys")
        let hardwareKey = try await vault.unseal(sealed, authorizedBy: .none)
        guard case .passphrase(let cost) = file.header.derivation, let passphrase = place.configuration.passphrase
        else {
            throw SecureStorageError.storageCorrupted
        }
        let derivation = PassphraseDerivation(argon2: nil, floor: place.environment.floor)
        let encryption = KeyEncryption(
            hardwareKey: hardwareKey, fingerprint: nil,
            passphraseKey: try derivation.key(from: passphrase, salt: file.header.salt, cost))
        let rootKey = try #require(
            file.wrap[.wrappedRootKey].flatMap { encryption.unwrapped($0, of: file.header) })
        let keys = StoreKeys(rootKey: rootKey)
        // Not the keys of the list and of the values: a copy of their round keys may stay in memory that was given back.
        return [
            ("hardware key", hardwareKey.withUnsafeBytes { OwnMemory.Needle(copying: $0) }),
            ("key of the passphrase", needle(encryption.passphraseKey)),
            ("key-encryption key", encryption.key(for: file.header).withUnsafeBytes { OwnMemory.Needle(copying: $0) }),
            ("root key", rootKey.withUnsafeBytes { OwnMemory.Needle(copying: $0) }),
            ("key of the file's code", keys.withAuthenticationKey { OwnMemory.Needle(copying: $0) }),
        ]
    }

    private func needle(_ secret: VaultSecret?) -> OwnMemory.Needle {
        secret?.withUnsafeBytes { OwnMemory.Needle(copying: $0) } ?? OwnMemory.Needle(count: 32)
    }
}
