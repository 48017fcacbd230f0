import Foundation
import HardwareKeys
import Locking
import Synchronization
import TestSupport
import Testing

@testable import SecureStorage

@Suite("6.2: every released version opens (STO-10)")
struct GoldenFileTests {
    /// Writes the files anew; only after a new version of the format, beside the old ones.
    private static let isWriting = ProcessInfo.processInfo.environment["SIGNET_WRITE_GOLDEN_FILES"] != nil

    @Test("The files are there and nothing else is")
    func completeness() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: GoldenFile.folder.path()).sorted()
        let files = (1...StoreFileHeader.major).flatMap { format in
            GoldenFile.allCases.map { $0.fileName(inFormat: format) }
        }
        #expect(names == (files + [GoldenFile.vaultFile]).sorted())
    }

    @Test("A golden file opens and holds what was put", arguments: GoldenFile.allCases)
    func opens(file: GoldenFile) async throws {
        let place = try file.place()
        let storage = try await place.open(fingerprint: file.fingerprint)
        #expect(storage.protection == file.protection)
        #expect(try storage.getAll() == GoldenFile.content)
        try storage.putString("more", forKey: "more")
        try await storage.write()
        let again = try await place.open(fingerprint: file.fingerprint)
        #expect(again.count == 4)
        #expect(try again.getBytes(forKey: "bytes") == GoldenFile.bytes)
    }

    @Test("A file in format 1 opens, and is one in format 2 from then on", arguments: GoldenFile.allCases)
    func firstFormat(file: GoldenFile) async throws {
        let place = try file.place(inFormat: 1)
        let original = try place.file()
        let before = try SecureStorage.inspect(fileName: "test", configuration: place.configuration)
        #expect(before.entryCount == 3 && before.formatVersion.hasPrefix("1."))
        var refusing = place
        refusing.configuration.migrateOnLoad = false
        await #expect(throws: SecureStorageError.migrationNeeded) {
            try await refusing.open(fingerprint: file.fingerprint)
        }
        #expect(try place.file() == original)
        for _ in 1...2 {
            let storage = try await place.open(fingerprint: file.fingerprint)
            #expect(storage.protection == file.protection)
            #expect(try storage.getAll() == GoldenFile.content)
            let after = try SecureStorage.inspect(fileName: "test", configuration: place.configuration)
            #expect(after.generation == before.generation + 1 && after.formatVersion.hasPrefix("2."))
        }
    }

    @Test("A file in format 1 with its last commit cut off, or a changed byte, gives nothing that was not written")
    func damageOfFirstFormat() async throws {
        let place = try GoldenFile.plain.place(inFormat: 1)
        let original = try place.file()
        for offset in original.indices {
            var changed = original
            changed[offset] ^= 1 << UInt8(offset % 8)
            try place.replaceFile(with: changed)
            guard let storage = try? await place.open() else { continue }
            for name in try storage.names() where GoldenFile.content[name] != nil {
                guard let value = try? storage.getBytes(forKey: name) else { continue }
                #expect(GoldenFile.content[name] == .bytes(value), "byte \(offset)")
            }
        }
        try place.replaceFile(with: Array(original.dropLast(40)))
        let storage = try await place.open()
        #expect(try storage.names() == ["empty", "gone", "text"])
    }

    @Test(
        "A changed byte in a golden file costs at most the entry whose value it is in",
        arguments: [GoldenFile.plain, .clear, .fingerprint, .biometry, .minor])
    func damage(file: GoldenFile) async throws {
        let place = try file.place()
        let original = try place.file()
        var damaged: [String: Int] = [:]
        for offset in original.indices {
            var changed = original
            changed[offset] ^= 1 << UInt8(offset % 8)
            try place.replaceFile(with: changed)
            let storage = try await place.open(fingerprint: file.fingerprint)
            let names = try storage.damagedNames()
            for name in names {
                damaged[name, default: 0] += 1
                try storage.remove(forKey: name)
            }
            #expect(try storage.getAll() == GoldenFile.content.filter { !names.contains($0.key) }, "byte \(offset)")
        }
        // Nonce, context and value of each.
        let text = GoldenFile.text.utf8.count
        #expect(damaged == ["text": 12 + 15 + 4 + text, "empty": 12 + 15 + 5, "bytes": 12 + 15 + 5 + 300])
    }

    @Test("A higher minor version is read, and what this one does not know is kept; a higher major one is refused")
    func versions() async throws {
        let place = try GoldenFile.minor.place()
        let original = try place.file()
        #expect(original[10] == 7)
        let storage = try await place.open()
        try await storage.write()
        let unknown = GoldenFile.unknownField
        #expect(try place.file()[10] == 7)
        #expect(Data(try place.file()).range(of: Data(unknown)) != nil)
        try await storage.write(protection: .none)
        #expect(Data(try place.file()).range(of: Data(unknown)) != nil)
        let higher = FileLayout.twice(original) { $0[8] = 3 }
        try place.replaceFile(with: higher)
        await #expect(throws: SecureStorageError.unreadableStorage(.newerFormat(major: 3))) { try await place.open() }
        #expect(try place.file() == higher)
    }

    @Test("A file is looked at without its keys")
    func inspection() throws {
        let clear = try GoldenFile.clear.place()
        let found = try SecureStorage.inspect(fileName: "test", configuration: clear.configuration)
        #expect(found.names == ["bytes", "empty", "text"])
        #expect(found.entryCount == 3 && found.generation == 3 && found.formatVersion == "2.0")
        #expect(found.provider == .software && found.protection == .none && found.kdf == nil && !found.needsFingerprint)
        let scrypt = try GoldenFile.scrypt.place()
        let other = try SecureStorage.inspect(fileName: "test", configuration: scrypt.configuration)
        #expect(other.names == nil && other.kdf == .scrypt(rounds: 16, blockSize: 8, parallelism: 2))
        #expect(throws: SecureStorageError.unknownStorage) {
            try SecureStorage.inspect(fileName: "none", configuration: clear.configuration)
        }
    }

    @Test("Golden files are written", .enabled(if: isWriting), arguments: GoldenFile.allCases)
    func write(file: GoldenFile) async throws {
        var place = try file.place(withFile: false)
        let generator = Mutex(SeededGenerator(seed: 0x53_53_54))
        place.environment.randomOctets = { count in
            generator.withLock { generator in
                (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
            }
        }
        if file == .minor { try await beginMinor(in: place) }
        let storage = try await place.open(fingerprint: file.fingerprint)
        try storage.putString(GoldenFile.text, forKey: "text")
        try storage.putString("gone", forKey: "gone")
        try await storage.write(protection: file.protection)
        try storage.putString("", forKey: "empty")
        try await storage.write()
        try storage.putBytes(GoldenFile.bytes, forKey: "bytes")
        try storage.remove(forKey: "gone")
        try await storage.write()
        try Data(try place.file()).write(to: GoldenFile.folder.appending(path: file.fileName()))
    }

    /// Writes the first commit of a storage as a later version would.
    private func beginMinor(in place: StoragePlace) async throws {
        let location = StorageLocation(
            fileSystem: PosixFileSystem(), directory: place.folder.path + "/storages", name: EntryName(reserved: "test")
        )
        let opener = StorageOpener(
            location: location, configuration: place.configuration, environment: place.environment)
        let credentials = StorageCredentials()
        var layer = try await opener.newLayer(with: credentials)
        layer.header.minor = 7
        let wrap = try #require(WrapSection(parsing: GoldenFile.unknownField))
        let envelope = try await opener.envelope(for: layer.header, wrap, with: credentials)
        layer = try layer.rekeyed(with: envelope, place.environment)
        let writer = StoreFileWriter(environment: place.environment, limits: place.configuration.limits)
        _ = try location.replace(with: writer.file(of: layer, anchoredAt: 0).bytes)
    }
}
