import HardwareKeys
import SecureStorage
import TestSupport
import Testing

@Suite("6.2: a changed log never gives wrong data, and loses nothing that was acknowledged without saying so (STO-3)")
struct LogDamageTests {
    private static let last: [String: SecureStorage.StorageValue] = ["n": .string("w"), "p": .bytes([1, 2, 3])]

    private let place: StoragePlace

    init() throws {
        place = try StoragePlace()
    }

    /// A base and three records, and the file after each commit.
    private func files(inClear: Bool = false, _ name: String = "test") async throws -> [[UInt8]] {
        var place = place
        place.configuration.namesInClear = inClear
        let storage = try await place.open(name)
        var files: [[UInt8]] = []
        let steps: [(SecureStorage) throws -> Void] = [
            { storage in
                try storage.putString("v", forKey: "n")
                try storage.putBytes([0], forKey: "o")
            },
            { try $0.putString("w", forKey: "n") },
            { try $0.putBytes([1, 2, 3], forKey: "p") },
            { try $0.remove(forKey: "o") },
        ]
        for step in steps {
            try step(storage)
            try await storage.write()
            files.append(try place.file(name))
        }
        return files
    }

    /// What opening a file and reading all of it gives.
    private func content(of file: [UInt8]) async throws -> [String: SecureStorage.StorageValue] {
        try place.replaceFile(with: file)
        return try await place.open().getAll()
    }

    @Test("A commit of a few entries leaves what was there as it is and writes behind it")
    func appended() async throws {
        let files = try await files()
        for (one, next) in zip(files, files.dropFirst()) {
            #expect(next.starts(with: one) && next.count - one.count < 500)
        }
        #expect(try await content(of: files[3]) == Self.last)
        #expect(FileLayout(files[3]).records(of: files[3]).map(\.upperBound) == files.dropFirst().map(\.count))
    }

    @Test("A flipped bit costs at most the entry whose live value it is in", arguments: [false, true])
    func bits(inClear: Bool) async throws {
        let files = try await files(inClear: inClear)
        var damaged: [String: Int] = [:]
        for offset in files[3].indices {
            for bit in offset < files[0].count ? offset % 8..<offset % 8 + 1 : 0..<8 {
                var changed = files[3]
                changed[offset] ^= 1 << UInt8(bit)
                try place.replaceFile(with: changed)
                let storage = try await place.open()
                #expect(try storage.names() == ["n", "p"], "bit \(bit) of byte \(offset)")
                let names = try storage.damagedNames()
                #expect(names.count <= 1, "bit \(bit) of byte \(offset)")
                for name in names { damaged[name, default: 0] += 1 }
                let isWhole = try names.contains("n") || storage.getString(forKey: "n") == "w"
                #expect(try isWhole && (names.contains("p") || storage.getBytes(forKey: "p") == [1, 2, 3]))
            }
        }
        // Nonce and ciphertext, which begins with the context.
        #expect(damaged == ["n": 8 * (12 + 15 + 1 + 1), "p": 8 * (12 + 15 + 1 + 3)])
        #expect(try await content(of: files[3]) == Self.last)
    }

    @Test("A file that was cut within its log is the older copy that it is, or whole, and nothing in between")
    func cuts() async throws {
        let files = try await files()
        var states: [[String: SecureStorage.StorageValue]] = []
        for file in files { states.append(try await content(of: file)) }
        for count in files[0].count...files[3].count {
            let found = try await content(of: Array(files[3].prefix(count)))
            // A record is whole before its receipt is.
            let state = files.lastIndex { $0.count - (($0.count == files[0].count) ? 0 : 24) <= count } ?? 0
            #expect(found == states[state], "\(count) bytes")
        }
    }

    @Test("Records do not change places, come twice, leave one out, or go to another base")
    func places() async throws {
        let file = try #require(try await files().last)
        let records = FileLayout(file).records(of: file).map { file[$0] }
        let base = file[..<FileLayout(file).spare.upperBound]
        let orders = [[1, 0, 2], [0, 2], [1, 2], [2], [0, 0, 1, 2], [0, 2, 1], [0, 1, 1, 2]]
        for order in orders {
            await #expect(throws: SecureStorageError.entriesLost, "\(order)") {
                try await content(of: base + order.flatMap { records[$0] })
            }
        }
        let foreign = try #require(try await files("other").last)
        let others = FileLayout(foreign).records(of: foreign).flatMap { foreign[$0] }
        // Only the other storage can tell that they were ever acknowledged.
        #expect(try await content(of: base + others) == ["n": .string("v"), "o": .bytes([0])])
    }

    @Test("A record without its receipt stands, and hides nothing that follows it")
    func receipts() async throws {
        let files = try await files()
        let receipt = Array(files[3].suffix(24))
        let record = Array(files[3].dropLast(24))
        #expect(try await content(of: record) == Self.last)
        for count in 0..<24 {
            #expect(try await content(of: record + receipt.prefix(count)) == Self.last)
            #expect(try await content(of: record + [UInt8](repeating: 0, count: count + 1)) == Self.last)
        }
        #expect(try await content(of: record + receipt.reversed()) == Self.last)
        let hidden = files[2].dropLast(24) + [UInt8](repeating: 0, count: 24) + files[3].dropFirst(files[2].count)
        #expect(try await content(of: Array(hidden)) == Self.last)
    }

    @Test("Monstrous lengths in both halves of a record take no memory, and hide nothing that was acknowledged")
    func monsters() async throws {
        let files = try await files(inClear: true)
        let second = files[3].count - 24 - 32 - 64
        for field in [0, 4, 36, 40] {
            var changed = files[3]
            for byte in 0..<4 { changed[files[2].count + field + byte] = 0xFF }
            #expect(try await content(of: changed) == Self.last)
            for byte in 0..<4 { changed[second + field + byte] = 0xFF }
            await #expect(throws: SecureStorageError.entriesLost) { try await content(of: changed) }
            // Without the receipt it is a record that was never whole.
            let found = try await content(of: Array(changed.dropLast(24)))
            #expect(found.count == 3)
        }
    }

    @Test("A commit that is lost in the middle ends nothing: given up, the entries that it changed are as before")
    func lostCommit() async throws {
        let files = try await files()
        var changed = files[3]
        for offset in files[1].count..<files[2].count - 24 { changed[offset] = 0 }
        await #expect(throws: SecureStorageError.entriesLost) { try await content(of: changed) }
        var place = place
        place.configuration.givesUpLostEntries = true
        let storage = try await place.open()
        #expect(try storage.getAll() == ["n": .string("w")] && storage.count == 1)
        try await storage.write()
        #expect(try await self.place.open().getAll() == ["n": .string("w")])
    }

    @Test("N-M4: a storage in memory goes back behind no commit that it has seen, whatever file it finds")
    func olderMeanwhile() async throws {
        let files = try await files()
        let storage = try await place.open()
        #expect(try storage.getAll() == Self.last)
        let cuts = [files[2], files[1], files[0], Array(files[0].dropLast(7)), Array(files[3].dropLast(200))]
        for older in cuts {
            try place.replaceFile(with: older)
            try storage.putString("x", forKey: "n")
            await #expect(throws: SecureStorageError.rollbackDetected) { try await storage.write() }
            await #expect(throws: SecureStorageError.rollbackDetected) { try await storage.reload() }
            #expect(try place.file() == older)
        }
        storage.unload()
        await #expect(throws: SecureStorageError.rollbackDetected) { try await storage.load() }
        try place.replaceFile(with: files[3])
        try await storage.load()
        #expect(try storage.getAll() == Self.last)
    }

    @Test("N-M4: an older base under other keys is no newer for that")
    func olderBase() async throws {
        let storage = try await place.open()
        try storage.putString("v", forKey: "n")
        try await storage.write()
        let older = try place.file()
        for _ in 0..<3 { try await storage.write(protection: .none) }
        try place.replaceFile(with: older)
        await #expect(throws: SecureStorageError.rollbackDetected) { try await storage.reload() }
        await #expect(throws: SecureStorageError.rollbackDetected) { try await storage.update { _ in } }
        #expect(try await place.open().getString(forKey: "n") == "v")
    }

    @Test("Behind what was never acknowledged nothing is written: the file is replaced, and another process notices")
    func torn() async throws {
        let files = try await files()
        let other = try await place.open()
        try place.replaceFile(with: files[3] + files[2].suffix(100))
        let storage = try await place.open()
        try storage.putString("x", forKey: "n")
        try await storage.write()
        let after = try place.file()
        #expect(after.count == FileLayout(after).spare.upperBound)
        #expect(try await place.open().getString(forKey: "n") == "x")
        try other.putString("y", forKey: "n")
        await #expect(throws: SecureStorageError.conflict) { try await other.write() }
    }
}
