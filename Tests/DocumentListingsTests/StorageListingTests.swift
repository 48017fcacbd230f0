import DocumentListings
import HardwareKeys
import SecureStorage
import TestSupport
import Testing

@Suite("The listings about storages do what they say")
struct StorageListingTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test("Values are put, written, borrowed and counted by turns")
    func values() async throws {
        let storage = try await SecureStorageListings.open(in: folder.path + "/storages")
        #expect(try await SecureStorageListings.values(storage) == "s3cret")
        #expect(try SecureStorageListings.borrowed(storage) == [1, 2, 3])
        try await SecureStorageListings.update(storage)
        #expect(try storage.getString(forKey: "attempt-3") == "3")
        let configuration = SecureStorage.Configuration(hardware: .none, directory: folder.path + "/others")
        #expect(try await SecureStorageListings.overview(configuration) == "s3cret")
    }

    @Test("An error says whether to try again, to correct the call or to give the data up")
    func recovery() async throws {
        let place = folder.path + "/storages"
        let configuration = SecureStorage.Configuration(hardware: .none, directory: place)
        let storage = try await SecureStorageListings.open(in: place)
        try await storage.write()
        let right = try await SecureStorageListings.deviceBinding(configuration)
        #expect(try await SecureStorageListings.recovery("accounts", right, configuration).opened != nil)
        let wrong = try await SecureStorageListings.recovery("accounts", "wrong", configuration)
        #expect(wrong.opened == nil && !wrong.message.isEmpty)
        let unnamed = try await SecureStorageListings.recovery("", right, configuration)
        #expect(unnamed.message.hasPrefix("Correct the call: "))
    }

    @Test("A protected storage asks the user, and a passphrase enters the key")
    func protection() async throws {
        let vault = try await SoftwareKeyVault.create(inDirectory: folder.path + "/keys")
        let place = folder.path + "/storages"
        var configuration = SecureStorageListings.passphrase(
            Array("correct horse".utf8), presence: PresentUser(), vault: vault, in: place)
        configuration.hardware = .none
        let storage = try await SecureStorage.createSecureStorage(
            fileName: "accounts", fingerprint: nil, configuration: configuration)
        #expect(try await SecureStorageListings.protect(storage) == .biometryCurrentSet)
        configuration.passphrase = nil
        await #expect(throws: SecureStorageError.self) {
            _ = try await SecureStorage.createSecureStorage(
                fileName: "accounts", fingerprint: nil, configuration: configuration)
        }
    }

    private struct PresentUser: UserPresence {
        func confirm(_ gate: UserGate) async throws(UserPresenceError) -> UserPresenceProof {
            UserPresenceProof(gate: gate)
        }

        func enrollmentDigest() async throws(UserPresenceError) -> [UInt8] { [UInt8](repeating: 7, count: 32) }
    }

    @Test("A passphrase is derived with Argon2id of the system's library")
    func argon2() async throws {
        let passphrase = SecureStorage.Passphrase(copying: Array("correct horse".utf8))
        let configuration = SecureStorageListings.argon2(passphrase, in: folder.path + "/storages")
        let storage = try await SecureStorage.createSecureStorage(
            fileName: "accounts", fingerprint: nil, configuration: configuration)
        try await storage.write()
        let kdf = try SecureStorage.inspect(fileName: "accounts", configuration: configuration).kdf
        #expect(kdf == .argon2id(memoryKibibytes: 19_456, passes: 2, lanes: 1))
    }

    @Test(
        "D-H3: with a chip the key of a storage lies in it",
        .enabled(if: SoftwareTPM.isInstalled, "\(SoftwareTPM.absence)"))
    func chip() async throws {
        let chip = try SoftwareTPM()
        let configuration = try await SecureStorageListings.chip(chip.connection, in: folder.path + "/storages")
        let storage = try await SecureStorage.createSecureStorage(
            fileName: "accounts", fingerprint: nil, configuration: configuration)
        #expect(storage.isSecureHardwareProtected)
    }
}
