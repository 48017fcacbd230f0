import Octets
import TestSupport
import Testing

@testable import SecureStorage

@Suite("D-L3: unloading forgets what opens a storage")
struct UnloadTests {
    private var place: StoragePlace

    init() throws {
        place = try StoragePlace()
        place.environment.acceptsCheapPassphrases = true
        place.configuration.kdf = .scrypt(rounds: 16, blockSize: 8, parallelism: 1)
    }

    private func written(
        fingerprint: String? = nil, passphrase: SecureStorage.Passphrase? = nil
    ) async throws -> SecureStorage {
        var place = place
        place.configuration.passphrase = passphrase
        let storage = try await place.open(fingerprint: fingerprint)
        try storage.putString("value", forKey: "key")
        try await storage.write()
        return storage
    }

    @Test("D-L3: after unloading a storage loads with its passphrase only")
    func passphrase() async throws {
        let storage = try await written(passphrase: SecureStorage.Passphrase(copying: "right".utf8))
        // While it is loaded the passphrase is known.
        try await storage.load()
        storage.unload()
        await #expect(throws: SecureStorageError.passphraseMismatch) { try await storage.load() }
        await #expect(throws: SecureStorageError.passphraseMismatch) {
            try await storage.load(passphrase: SecureStorage.Passphrase(copying: "wrong".utf8))
        }
        try await storage.load(passphrase: SecureStorage.Passphrase(copying: "right".utf8))
        #expect(try storage.getString(forKey: "key") == "value")
        // And from then on it is known again.
        try await storage.write(fingerprint: nil, protection: .none)
        try await storage.load()
    }

    @Test("D-L3: after unloading a storage loads with its fingerprint only")
    func fingerprint() async throws {
        let storage = try await written(fingerprint: "right")
        storage.unload()
        await #expect(throws: SecureStorageError.fingerprintMismatch) { try await storage.load() }
        await #expect(throws: SecureStorageError.fingerprintMismatch) { try await storage.load(fingerprint: "wrong") }
        try await storage.load(fingerprint: "right")
        #expect(try storage.getString(forKey: "key") == "value")
    }

    @Test("D-L3: what was not the passphrase does not stay when the loading fails")
    func refused() async throws {
        let storage = try await written()
        await #expect(throws: SecureStorageError.passphraseMismatch) {
            try await storage.load(passphrase: SecureStorage.Passphrase(copying: "superfluous".utf8))
        }
        try await storage.load()
    }

    @Test("D-L3: after unloading no part of the storage holds the passphrase any more")
    func owners() async throws {
        var passphrase: SecureStorage.Passphrase? = SecureStorage.Passphrase(copying: "right".utf8)
        weak let kept = passphrase
        let storage = try await written(passphrase: passphrase)
        passphrase = nil
        #expect(kept != nil)
        storage.unload()
        #expect(kept == nil)
    }
}
