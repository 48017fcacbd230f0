import HardwareKeys
import HardwareKeysTPM
import SecureStorage
import TestSupport
import Testing

@Suite(
    "6.3, 3.7: a storage that a TPM seals",
    .enabled(if: SoftwareTPM.isInstalled, Comment(rawValue: SoftwareTPM.absence)))
struct ChipStorageTests {
    private var place: StoragePlace
    private let chip: SoftwareTPM

    init() async throws {
        chip = try SoftwareTPM()
        place = try StoragePlace()
        place.configuration.vault = try await TPMKeyVault.create(
            inDirectory: place.folder.path + "/chip", connection: chip.connection)
        place.configuration.hardware = .required
        place.configuration.rollbackAnchor = true
    }

    private func write(_ value: String, in storage: SecureStorage) async throws {
        try storage.putString(value, forKey: "name")
        try await storage.write()
    }

    @Test("It opens again after a power cut of the chip, and says what protects it")
    func restart() async throws {
        let storage = try await place.open()
        try await write("kept", in: storage)
        #expect(storage.isSecureHardwareProtected)
        #expect(storage.protectionStatement.provider == .trustedPlatformModule)
        #expect(storage.protectionStatement.rollbackDetection == .hardware)
        try chip.restart()
        #expect(try await place.open().getString(forKey: "name") == "kept")
        #expect(try chip.leftovers().isEmpty)
    }

    @Test("An application needs one line: the vault is made with the first configuration and found by the next")
    func configuration() async throws {
        let directory = place.folder.path + "/deep/storages"
        for expected in [nil, "kept"] {
            var configuration = try await SecureStorage.Configuration(
                trustedPlatformModule: chip.connection, directory: directory)
            configuration.rollbackAnchor = true
            #expect(configuration.hardware == .required)
            let storage = try await SecureStorage.createSecureStorage(
                fileName: "test", fingerprint: nil, configuration: configuration)
            let found = try? storage.getString(forKey: "name")
            #expect(found == expected)
            try await write("kept", in: storage)
            #expect(storage.protectionStatement.provider == .trustedPlatformModule)
        }
        try chip.stop()
        await #expect(throws: SecureStorageError.secureHardwareUnavailable) {
            try await SecureStorage.Configuration(trustedPlatformModule: chip.connection, directory: directory)
        }
    }

    @Test("An older copy is told by the counter in the chip, also after a power cut (STO-5)")
    func replay() async throws {
        let storage = try await place.open()
        try await write("1", in: storage)
        let copies = (file: try place.file(), ledger: try place.file(".ledger"))
        try await write("2", in: storage)
        let newest = (file: try place.file(), ledger: try place.file(".ledger"))
        try chip.restart()
        try place.replaceFile(with: copies.file)
        await #expect(throws: SecureStorageError.rollbackDetected) { try await place.open() }
        try place.replaceFile(".ledger", with: copies.ledger)
        await #expect(throws: SecureStorageError.rollbackDetected) { try await place.open() }
        try place.replaceFile(with: newest.file)
        try place.replaceFile(".ledger", with: newest.ledger)
        #expect(try await place.open().getString(forKey: "name") == "2")
    }

    @Test("N-L9: who adopts for good takes no copy from before the anchor once the counter has counted for a ledger")
    func adoptingForGood() async throws {
        var (plain, adopting) = (place, place)
        plain.configuration.rollbackAnchor = false
        adopting.configuration.adoptsUnanchored = true
        try await write("1", in: try await plain.open())
        let copy = try place.file()
        #expect(try await adopting.open().getString(forKey: "name") == "1")
        try await write("2", in: try await adopting.open())
        #expect(try await adopting.open().getString(forKey: "name") == "2")
        let newest = (file: try place.file(), ledger: try place.file(".ledger"))

        let ledger = place.folder.path + "/storages/.ledger.sst"
        try place.replaceFile(with: copy)
        try PosixFileSystem().remove(ledger)
        await #expect(throws: SecureStorageError.rollbackDetected) { try await adopting.open() }
        // Another storage makes a new ledger, which does not take the copy either.
        try await write("3", in: try await adopting.open("other"))
        await #expect(throws: SecureStorageError.rollbackDetected) { try await adopting.open() }
        #expect(try await adopting.open("other").getString(forKey: "name") == "3")
        try place.replaceFile(with: newest.file)
        try place.replaceFile(".ledger", with: newest.ledger)
        await #expect(throws: SecureStorageError.rollbackDetected) { try await adopting.open() }
    }

    @Test("A chip that is switched off is no loss: it is said, and the storage opens when it is back")
    func switchedOff() async throws {
        try await write("kept", in: try await place.open())
        try chip.stop()
        await #expect(throws: SecureStorageError.secureHardwareUnavailable) { try await place.open() }
        try chip.start()
        #expect(try await place.open().getString(forKey: "name") == "kept")
    }

    @Test("A cleared chip is a loss that is named, and the file stays as it is")
    func cleared() async throws {
        try await write("lost", in: try await place.open())
        let file = try place.file()
        try chip.clear()
        await #expect(throws: SecureStorageError.unrecoverableKey) { try await place.open() }
        #expect(try place.file() == file)
        #expect(SecureStorageError.unrecoverableKey.isUnrecoverable)
    }
}
