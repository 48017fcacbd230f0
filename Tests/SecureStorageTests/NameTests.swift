import SecureStorage
import TestSupport
import Testing

@Suite("1.2 and 7: names, values, getters and their errors")
struct NameTests {
    private let place: StoragePlace
    private static let bad: [(String, SecureStorage.NameFault)] = [
        ("", .length), (String(repeating: "a", count: 101), .length), ("a b", .format), ("a/b", .format),
        ("ä", .format), ("\u{212A}", .format), ("a\0", .format), ("a\n", .format), ("..%2f", .format),
    ]

    init() throws {
        place = try StoragePlace()
    }

    @Test(
        "Names of 1 to 100 letters, digits, hyphens, underscores and dots are taken",
        arguments: ["a", "Z9", "-", "_x", "a.b", String(repeating: "k", count: 100)])
    func good(name: String) async throws {
        let storage = try await place.open(name)
        try storage.putString(name, forKey: name)
        try await storage.write()
        #expect(try await place.open(name).getString(forKey: name) == name)
    }

    @Test("Other names of storages are refused", arguments: bad + [(".hidden", .format), (".", .format)])
    func badStorage(name: String, fault: SecureStorage.NameFault) async throws {
        await #expect(throws: SecureStorageError.storageNameInvalid(fault)) { try await place.open(name) }
        await #expect(throws: SecureStorageError.storageNameInvalid(fault)) {
            try await SecureStorage.delete(fileName: name, configuration: place.configuration)
        }
        #expect(!SecureStorage.exists(fileName: name, configuration: place.configuration))
    }

    @Test("Other names of entries are refused", arguments: bad)
    func badKey(name: String, fault: SecureStorage.NameFault) async throws {
        let storage = try await place.open()
        let expected = SecureStorageError.keyNameInvalid(fault)
        #expect(throws: expected) { try storage.putString("", forKey: name) }
        #expect(throws: expected) { try storage.putBytes([], forKey: name) }
        #expect(throws: expected) { try storage.getString(forKey: name) }
        #expect(throws: expected) { try storage.getBytes(forKey: name) }
        #expect(throws: expected) { try storage.contains(key: name) }
        #expect(throws: expected) { try storage.remove(forKey: name) }
    }

    @Test("A name that only looks like another is another")
    func canonical() async throws {
        let storage = try await place.open()
        try storage.putString("value", forKey: "K")
        #expect(throws: SecureStorageError.keyNameInvalid(.format)) { try storage.getString(forKey: "\u{212A}") }
    }

    @Test("Text and bytes have their own getters")
    func getters() async throws {
        let storage = try await place.open()
        try storage.putString("text", forKey: "text")
        try storage.putBytes([1, 2, 3], forKey: "bytes")
        #expect(throws: SecureStorageError.incorrectGetter) { try storage.getBytes(forKey: "text") }
        #expect(throws: SecureStorageError.incorrectGetter) { try storage.getString(forKey: "bytes") }
        #expect(throws: SecureStorageError.unknownKey) { try storage.getString(forKey: "none") }
        #expect(throws: SecureStorageError.unknownKey) { try storage.remove(forKey: "none") }
        #expect(try storage.withBytes(forKey: "text") { Array($0) } == Array("text".utf8))
        #expect(try storage.getAll() == ["text": .string("text"), "bytes": .bytes([1, 2, 3])])
        try storage.putBytes(Array("text".utf8), forKey: "text")
        #expect(try storage.getBytes(forKey: "text") == Array("text".utf8))
    }

    @Test("Entries are removed, counted and cleared in the volatile layer only")
    func removal() async throws {
        let storage = try await place.open()
        for name in ["a", "b", "c"] { try storage.putString(name, forKey: name) }
        try await storage.write()
        try storage.remove(forKey: "b")
        #expect(try !storage.contains(key: "b"))
        #expect(storage.count == 2 && storage.size == 2)
        try storage.clear()
        #expect(storage.count == 0)
        try await storage.reload()
        #expect(storage.count == 3)
        try storage.clear()
        try await storage.write()
        #expect(try await place.open().count == 0)
    }

    @Test("After unload everything throws until the storage is loaded again")
    func unloaded() async throws {
        let storage = try await place.open()
        try storage.putString("value", forKey: "name")
        try await storage.write()
        storage.unload()
        let expected = SecureStorageError.notLoaded
        #expect(throws: expected) { try storage.getString(forKey: "name") }
        #expect(throws: expected) { try storage.putString("", forKey: "name") }
        #expect(throws: expected) { try storage.getAll() }
        #expect(throws: expected) { try storage.contains(key: "name") }
        #expect(throws: expected) { try storage.clear() }
        await #expect(throws: expected) { try await storage.write() }
        await #expect(throws: expected) { try await storage.reload() }
        #expect(storage.count == 0)
        try await storage.load()
        #expect(try storage.getString(forKey: "name") == "value")
    }

    @Test("A storage that was never written cannot be loaded again, and one that is not there not deleted")
    func unknown() async throws {
        let storage = try await place.open()
        storage.unload()
        await #expect(throws: SecureStorageError.unknownStorage) { try await storage.load() }
        await #expect(throws: SecureStorageError.unknownStorage) {
            try await SecureStorage.delete(fileName: "none", configuration: place.configuration)
        }
    }

    @Test("A deleted storage is gone; one of its name in memory does not come back")
    func deletion() async throws {
        let storage = try await place.open()
        try await storage.write()
        try await SecureStorage.delete(fileName: "test", configuration: place.configuration)
        #expect(!SecureStorage.exists(fileName: "test", configuration: place.configuration))
        await #expect(throws: SecureStorageError.conflict) { try await storage.write() }
        #expect(try await place.open().count == 0)
    }

    @Test("Limits are kept when something is put, written and read")
    func limits() async throws {
        var narrow = place
        narrow.configuration.limits = .init(entryCount: 2, valueByteCount: 10, storageByteCount: 1_600)
        let storage = try await narrow.open()
        #expect(throws: SecureStorageError.valueInvalid) { try storage.putString("12345678901", forKey: "a") }
        try storage.putString("1234567890", forKey: "a")
        try storage.putString("1234567890", forKey: "b")
        #expect(throws: SecureStorageError.limitExceeded) { try storage.putString("", forKey: "c") }
        try storage.putString("", forKey: "b")
        try await storage.write()
        narrow.configuration.limits = .init(entryCount: 1)
        await #expect(throws: SecureStorageError.limitExceeded) { try await narrow.open() }
        narrow.configuration.limits = .init(valueByteCount: 9)
        await #expect(throws: SecureStorageError.limitExceeded) { try await narrow.open() }
        narrow.configuration.limits = .init(storageByteCount: 200)
        await #expect(throws: SecureStorageError.limitExceeded) { try await narrow.open() }
        #expect(try await place.open().count == 2)
        #expect(SecureStorage.Limits(entryCount: .max).entryCount == SecureStorage.Limits.entryCountCeiling)
    }

    @Test("The numbers of the older SDK are kept")
    func legacyCodes() {
        let codes: [(SecureStorageError, Int?)] = [
            (.storageNameInvalid(.length), -4302), (.storageNameInvalid(.format), -4303), (.unknownStorage, -4304),
            (.unreadableStorage(.argon2Missing), -4305), (.fingerprintMismatch, -4305),
            (.keyNameInvalid(.length), -4309), (.keyNameInvalid(.format), -4310), (.unknownKey, -4311),
            (.valueInvalid, -4313), (.incorrectGetter, -4315), (.storageCorrupted, -4316), (.dataLocked, -4317),
            (.rollbackDetected, nil), (.unrecoverableKey, nil), (.conflict, nil), (.userCancelled, nil),
        ]
        for (error, code) in codes { #expect(error.legacyCode == code) }
        for error in [SecureStorageError.entryDamaged(name: "n"), .entriesLost] {
            #expect(error.legacyCode == -4316 && error.advice == .giveUp && !error.isUnrecoverable)
        }
        #expect(SecureStorageError.unrecoverableKey.advice == .delete)
        #expect(SecureStorageError.secureHardwareBusy.advice == .retry)
        #expect(SecureStorageError.fingerprintMismatch.advice == .correct)
    }

    @Test("Directories have mode 0700 and files 0600; the lock stays (STO-9)")
    func modes() async throws {
        let storage = try await place.open()
        try await storage.write()
        #expect(try place.folder.permissions(of: "storages") == 0o700)
        #expect(try place.folder.permissions(of: "storages/test.sst") == 0o600)
        #expect(try place.folder.permissions(of: "storages/test.lock") == 0o600)
        #expect(try place.folder.names(in: "storages") == ["software-keys", "test.lock", "test.sst"])
        try place.folder.setPermissions(0o644, of: "storages/test.sst")
        await #expect(throws: SecureStorageError.notPrivate) { try await place.open() }
        try place.folder.setPermissions(0o600, of: "storages/test.sst")
        try place.folder.setPermissions(0o755, of: "storages")
        await #expect(throws: SecureStorageError.notPrivate) { try await place.open() }
    }
}
