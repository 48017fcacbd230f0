import HardwareKeys
import SecureStorage
import Synchronization
import TestSupport
import Testing

@Suite("6.4.5: older copies of a file are told by a counter (STO-5)")
struct AnchorTests {
    private var place: StoragePlace
    private let vault: CountingVault

    init() async throws {
        place = try StoragePlace()
        vault = try await CountingVault(inDirectory: place.folder.path + "/chip")
        place.configuration.vault = vault
        place.configuration.rollbackAnchor = true
    }

    private func write(_ value: String, in storage: SecureStorage) async throws {
        try storage.putString(value, forKey: "name")
        try await storage.write()
    }

    @Test("Every older copy is refused, and the newest opens; with the ledger put back as well")
    func replay() async throws {
        let storage = try await place.open()
        var copies: [(file: [UInt8], ledger: [UInt8])] = []
        for round in 1...4 {
            try await write("\(round)", in: storage)
            copies.append((try place.file(), try place.file(".ledger")))
        }
        #expect(storage.protectionStatement.rollbackDetection == .hardware)
        for copy in copies.dropLast() {
            try place.replaceFile(with: copy.file)
            await #expect(throws: SecureStorageError.rollbackDetected) { try await place.open() }
            await #expect(throws: SecureStorageError.self) { try await storage.write() }
            try place.replaceFile(".ledger", with: copy.ledger)
            await #expect(throws: SecureStorageError.rollbackDetected) { try await place.open() }
            let newest = try #require(copies.last)
            try place.replaceFile(with: newest.file)
            try place.replaceFile(".ledger", with: newest.ledger)
            #expect(try await place.open().getString(forKey: "name") == "4")
        }
    }

    @Test("A file that was cut within its log is refused, whatever is left of its last commits")
    func cut() async throws {
        let storage = try await place.open()
        for round in 1...3 { try await write("\(round)", in: storage) }
        let file = try place.file()
        let records = FileLayout(file).records(of: file)
        #expect(records.count == 2)
        for count in (records[0].lowerBound - 1)..<(file.count - 24) {
            try place.replaceFile(with: Array(file.prefix(count)))
            await #expect(throws: SecureStorageError.rollbackDetected, "\(count) bytes") { try await place.open() }
        }
        // Without its receipt the last record is the one that the ledger knows.
        try place.replaceFile(with: file.dropLast(24) + [0, 0, 0])
        #expect(try await place.open().getString(forKey: "name") == "3")
    }

    @Test("An older copy does not come into the memory of a storage that refuses it")
    func refusedInMemory() async throws {
        let storage = try await place.open()
        try await write("1", in: storage)
        let copies = [("test", try place.file()), (".ledger", try place.file(".ledger"))]
        try await write("2", in: storage)
        for (name, copy) in copies {
            try place.replaceFile(name, with: copy)
            await #expect(throws: SecureStorageError.rollbackDetected) { try await storage.update { _ in } }
            await #expect(throws: SecureStorageError.rollbackDetected) { try await storage.reload() }
            #expect(try storage.getString(forKey: "name") == "2")
        }
    }

    @Test("The chip unseals two keys when a storage is opened, and none while it is in memory; unload forgets both")
    func unsealing() async throws {
        try await write("1", in: try await place.open())
        var last = vault.unsealCount
        let storage = try await place.open()
        #expect(vault.unsealCount == last + 2)
        last = vault.unsealCount
        for value in ["2", "3", "4"] {
            try await write(value, in: storage)
            try await storage.update { draft throws(SecureStorageError) in
                try draft.putString(value + value, forKey: "name")
            }
            try await storage.reload()
        }
        #expect(vault.unsealCount == last)
        storage.unload()
        try await storage.load()
        #expect(vault.unsealCount == last + 2)
        #expect(try storage.getString(forKey: "name") == "44")
    }

    @Test("Without the anchor an older copy opens, and the statement says so")
    func unanchored() async throws {
        var plain = place
        plain.configuration.rollbackAnchor = false
        let storage = try await plain.open()
        try await write("1", in: storage)
        let copy = try place.file()
        try await write("2", in: storage)
        #expect(storage.protectionStatement.rollbackDetection == .absent)
        try place.replaceFile(with: copy)
        #expect(try await plain.open().getString(forKey: "name") == "1")
    }

    @Test("An anchored storage stays anchored, whatever the configuration says")
    func sticky() async throws {
        let storage = try await place.open()
        try await write("1", in: storage)
        let copy = try place.file()
        try await write("2", in: storage)
        try place.replaceFile(with: copy)
        var plain = place
        plain.configuration.rollbackAnchor = false
        await #expect(throws: SecureStorageError.rollbackDetected) { try await plain.open() }
    }

    @Test("D-M3: a storage from before the anchor is taken once, when the application says so, and anchored at once")
    func later() async throws {
        var (plain, adopting) = (place, place)
        plain.configuration.rollbackAnchor = false
        adopting.configuration.adoptsUnanchored = true
        let unanchored = try await plain.open()
        try await write("0", in: unanchored)
        let older = try place.file()
        try await write("1", in: unanchored)
        await #expect(throws: SecureStorageError.rollbackDetected) { try await place.open() }
        #expect(try await adopting.open().getString(forKey: "name") == "1")
        let adopted = try place.file()
        // Nothing was written since, and an older copy is refused all the same, also by who still adopts.
        try place.replaceFile(with: older)
        await #expect(throws: SecureStorageError.rollbackDetected) { try await place.open() }
        await #expect(throws: SecureStorageError.rollbackDetected) { try await adopting.open() }
        try place.replaceFile(with: adopted)
        try await write("2", in: try await place.open())
        #expect(try await place.open().getString(forKey: "name") == "2")
        try place.replaceFile(with: adopted)
        await #expect(throws: SecureStorageError.rollbackDetected) { try await place.open() }
    }

    @Test("D-M3: removing the ledger does not bring back a copy from before the anchor")
    func laterWithoutLedger() async throws {
        var (plain, adopting) = (place, place)
        plain.configuration.rollbackAnchor = false
        adopting.configuration.adoptsUnanchored = true
        try await write("1", in: try await plain.open())
        let copy = try place.file()
        try await write("2", in: try await adopting.open())
        try place.replaceFile(with: copy)
        try PosixFileSystem().remove(place.folder.path + "/storages/.ledger.sst")
        await #expect(throws: SecureStorageError.rollbackDetected) { try await place.open() }
    }

    @Test(
        "N-L9: without a ledger a copy is adopted while the counter has not counted, or where its beginning is not known",
        arguments: [(41 as UInt64?, false), (40, true), (nil, false)])
    func beginning(first: UInt64?, isRefused: Bool) async throws {
        vault.script.withLock { $0.first = first }
        var (plain, adopting) = (place, place)
        plain.configuration.rollbackAnchor = false
        adopting.configuration.adoptsUnanchored = true
        try await write("1", in: try await plain.open())
        if isRefused {
            await #expect(throws: SecureStorageError.rollbackDetected) { try await adopting.open() }
        } else {
            #expect(try await adopting.open().getString(forKey: "name") == "1")
        }
        // A new storage can still begin.
        try await write("2", in: try await adopting.open("other"))
        #expect(try await adopting.open("other").getString(forKey: "name") == "2")
    }

    @Test("D-L15: a deleted storage leaves nothing in the ledger, also when the anchor was switched off before")
    func deletedUnanchored() async throws {
        try await write("1", in: try await place.open())
        var plain = place
        plain.configuration.rollbackAnchor = false
        try await SecureStorage.delete(fileName: "test", configuration: plain.configuration)
        let storage = try await plain.open()
        try await write("2", in: storage)
        var adopting = place
        adopting.configuration.adoptsUnanchored = true
        #expect(try await adopting.open().getString(forKey: "name") == "2")
    }

    @Test("D-L15: an anchored storage is not deleted without the vault that would strike it out")
    func deletedWithoutVault() async throws {
        try await write("1", in: try await place.open())
        var bare = place
        bare.configuration.rollbackAnchor = false
        bare.configuration.vault = nil
        await #expect(throws: SecureStorageError.configurationInvalid) {
            try await SecureStorage.delete(fileName: "test", configuration: bare.configuration)
        }
        #expect(try await place.open().getString(forKey: "name") == "1")
    }

    @Test("A deleted storage does not come back, and a new one of its name begins anew")
    func deleted() async throws {
        try await write("1", in: try await place.open())
        let copy = try place.file()
        try await SecureStorage.delete(fileName: "test", configuration: place.configuration)
        let storage = try await place.open()
        try await write("2", in: storage)
        #expect(try await place.open().getString(forKey: "name") == "2")
        try place.replaceFile(with: copy)
        await #expect(throws: SecureStorageError.rollbackDetected) { try await place.open() }
    }

    @Test("Two storages share the counter and do not disturb each other")
    func two() async throws {
        let one = try await place.open("one")
        let other = try await place.open("other")
        for round in 1...3 {
            try await write("\(round)", in: one)
            try await write("\(round)", in: other)
        }
        #expect(try await place.open("one").getString(forKey: "name") == "3")
        #expect(try await place.open("other").getString(forKey: "name") == "3")
        try place.replaceFile("one", with: try place.file("other"))
        await #expect(throws: SecureStorageError.storageCorrupted) { try await place.open("one") }
    }

    @Test("A crash between the file and the counter is made good when the storage is opened next")
    func crashBeforeAdvance() async throws {
        let storage = try await place.open()
        try await write("1", in: storage)
        let before = try place.file()
        vault.script.withLock { $0.advanceFailure = .hardwareUnavailable }
        await #expect(throws: SecureStorageError.secureHardwareUnavailable) { try await write("2", in: storage) }
        // The file was replaced, the ledger says so, the counter does not yet.
        #expect(try await place.open().getString(forKey: "name") == "2")
        try place.replaceFile(with: before)
        await #expect(throws: SecureStorageError.rollbackDetected) { try await place.open() }
    }

    @Test("A file that is one commit ahead of the ledger is taken, and noted")
    func crashBeforeLedger() async throws {
        let storage = try await place.open()
        try await write("1", in: storage)
        let ledger = try place.file(".ledger")
        let count = vault.script.withLock { $0.count }
        try await write("2", in: storage)
        try place.replaceFile(".ledger", with: ledger)
        vault.script.withLock { $0.count = count }
        #expect(try await place.open().getString(forKey: "name") == "2")
        #expect(vault.script.withLock { $0.count } == count + 1)
    }

    @Test("A write that failed at the counter is repeated by the same storage")
    func retry() async throws {
        let storage = try await place.open()
        try await write("1", in: storage)
        for round in 2...4 {
            vault.script.withLock { $0.advanceFailure = .hardwareBusy }
            await #expect(throws: SecureStorageError.secureHardwareBusy) { try await write("\(round)", in: storage) }
            try await storage.write()
            #expect(try await place.open().getString(forKey: "name") == "\(round)")
        }
    }

    @Test("A ledger that is gone, foreign or ahead of the counter lets nothing old in")
    func ledger() async throws {
        let storage = try await place.open()
        try await write("1", in: storage)
        try await write("2", in: storage)
        let ledger = try place.file(".ledger")
        vault.script.withLock { $0.count -= 2 }
        await #expect(throws: SecureStorageError.storageCorrupted) { try await place.open() }
        vault.script.withLock { $0.count += 2 }
        try place.replaceFile(".ledger", with: FileLayout.twice(ledger) { $0[30] ^= 1 })
        await #expect(throws: SecureStorageError.storageCorrupted) { try await place.open() }
        try PosixFileSystem().remove(place.folder.path + "/storages/.ledger.sst")
        await #expect(throws: SecureStorageError.rollbackDetected) { try await place.open() }
    }

    @Test("A vault without a counter cannot anchor")
    func noCounter() async throws {
        var plain = place
        plain.configuration.vault = try await SoftwareKeyVault.create(inDirectory: place.folder.path + "/soft")
        let storage = try await plain.open()
        await #expect(throws: SecureStorageError.configurationInvalid) { try await storage.write() }
    }
}
