import HardwareKeys
import TestSupport
import Testing

@testable import SecureStorage

@Suite("6.2: a base that is read when asked, and a log behind it")
struct LogTests {
    private var place: StoragePlace

    init() throws {
        place = try StoragePlace()
    }

    private func filled(_ count: Int, valueByteCount: Int = 256) async throws -> SecureStorage {
        let storage = try await place.open()
        for number in 0..<count {
            try storage.putBytes([UInt8](repeating: UInt8(number & 0xFF), count: valueByteCount), forKey: "n\(number)")
        }
        try await storage.write()
        return storage
    }

    @Test("Opening reads no entry; the first get of one reads its block and its value, the second reads nothing")
    func lazy() async throws {
        _ = try await filled(1_000)
        let disk = FaultyFileSystem(.failure(.absent, isLasting: false), at: .max)
        var watched = place
        watched.environment.fileSystem = disk
        let storage = try await watched.open()
        let parts = { disk.calls.count { $0 == "readPart" } }
        let opened = parts()
        #expect(opened <= 3)
        #expect(storage.count == 1_000 && parts() == opened)
        #expect(try storage.getBytes(forKey: "n500").first == 0xF4)
        #expect(parts() == opened + 2)
        #expect(try storage.getBytes(forKey: "n500").first == 0xF4)
        #expect(parts() == opened + 2)
        #expect(try storage.contains(key: "n500") && parts() == opened + 2)
        #expect(throws: SecureStorageError.unknownKey) { try storage.getBytes(forKey: "none") }
    }

    @Test("A disk that fails when an entry is asked for is told; nothing is lost, and the next get works")
    func failingRead() async throws {
        _ = try await filled(300)
        let sound = FaultyFileSystem(.failure(.absent, isLasting: false), at: .max)
        var watched = place
        watched.environment.fileSystem = sound
        _ = try await watched.open()
        let disk = FaultyFileSystem(.failure(.failed(code: 5), isLasting: true), at: sound.operationCount)
        watched.environment.fileSystem = disk
        let storage = try await watched.open()
        #expect(throws: SecureStorageError.ioFailure(code: 5)) { try storage.getBytes(forKey: "n7") }
        #expect(throws: SecureStorageError.ioFailure(code: 5)) { try storage.contains(key: "n7") }
        #expect(throws: SecureStorageError.ioFailure(code: 5)) { try storage.putString("x", forKey: "n7") }
        #expect(throws: SecureStorageError.ioFailure(code: 5)) { try storage.getAll() }
        #expect(throws: SecureStorageError.ioFailure(code: 5)) { try storage.names() }
        #expect(storage.count == 300 && !storage.hasUnwrittenChanges)
        disk.heal()
        #expect(try storage.getBytes(forKey: "n7").count == 256)
        #expect(try storage.getAll().count == 300)
    }

    @Test("A value that is put again and again before a write is one change: the write appends it")
    func putAgain() async throws {
        let storage = try await filled(1_000)
        let base = try place.file()
        for round in 0..<2_000 {
            try storage.putBytes([UInt8](repeating: UInt8(round & 0xFF), count: 256), forKey: "n7")
        }
        try await storage.write()
        #expect(try place.file().starts(with: base))
        #expect(try await place.open().getBytes(forKey: "n7").first == 0xCF)
    }

    @Test("Changes of every kind in records read back as they were made", arguments: [false, true])
    func records(inClear: Bool) async throws {
        var place = place
        place.configuration.namesInClear = inClear
        let storage = try await place.open()
        var expected: [String: SecureStorage.StorageValue] = [:]
        for number in 0..<200 {
            try storage.putString("\(number)", forKey: "n\(number)")
            expected["n\(number)"] = .string("\(number)")
        }
        try await storage.write()
        let base = try place.file().count
        for round in 0..<30 {
            try storage.putString("round \(round)", forKey: "n\(round * 6)")
            expected["n\(round * 6)"] = .string("round \(round)")
            try storage.remove(forKey: "n\(round * 6 + 1)")
            expected["n\(round * 6 + 1)"] = nil
            try storage.putBytes([UInt8(round)], forKey: "new-\(round)")
            expected["new-\(round)"] = .bytes([UInt8(round)])
            try await storage.write()
            guard round % 10 == 0 else { continue }
            let found = try await place.open()
            #expect(try found.getAll() == expected && found.count == expected.count)
            #expect(try found.names() == expected.keys.sorted())
        }
        #expect(try place.file().count > base)
        try storage.clear()
        try storage.putString("alone", forKey: "n3")
        try await storage.write()
        #expect(try await place.open().getAll() == ["n3": .string("alone")])
        #expect(try storage.getAll() == ["n3": .string("alone")])
    }

    @Test(
        "A log has an eighth of its base, at least 16 and at most 72 KiB; a base of over 9 MiB has up to 256 KiB",
        arguments: [
            (0, 16_384), (131_072, 16_384), (524_288, 65_536), (4 << 20, 73_728), (9 << 20, 73_728),
            (24 << 20, 196_608),
            (64 << 20, 262_144),
        ])
    func share(base: Int, log: Int) {
        let position = LogPosition(
            baseCode: [], start: base, ends: FileEnds(byteCount: base + 100, first: [], last: []))
        #expect(position.room(upTo: nil) == log - 100)
        #expect(position.room(upTo: 5_000) == 4_900)
    }

    @Test("A log that has its share of the base is written into a new base, and the file does not grow for ever")
    func compaction() async throws {
        let storage = try await filled(200)
        let base = FileLayout(try place.file())
        var (bases, longest) = (0, 0)
        var last = 0
        for round in 0..<1_000 {
            try storage.putBytes([UInt8](repeating: UInt8(round & 0xFF), count: 256), forKey: "n\(round % 200)")
            try await storage.write()
            let count = try place.file().count
            if count < last { bases += 1 }
            longest = max(longest, count)
            last = count
        }
        #expect((20...60).contains(bases))
        // The size of a base changes by a byte where a commit gets another one; the log of this one has the least share.
        #expect(longest < base.spare.upperBound + 16_384 + 1_000)
        let found = try await place.open()
        #expect(found.count == 200)
        for number in 0..<200 {
            let value = UInt8((800 + number) & 0xFF)
            #expect(try found.getBytes(forKey: "n\(number)").first == value)
        }
    }

    @Test("A change that is larger than a log may be is written as a new base")
    func largeChange() async throws {
        let storage = try await filled(10)
        try storage.putBytes([UInt8](repeating: 7, count: 100_000), forKey: "large")
        try await storage.write()
        #expect(FileLayout(try place.file()).spare.upperBound == (try place.file()).count)
        #expect(try await place.open().getBytes(forKey: "large").count == 100_000)
    }

    @Test("A storage reads on from the base that it has opened while another process writes new ones")
    func otherBase() async throws {
        let reader = try await filled(500)
        let fresh = try await place.open()
        let writer = try await place.open()
        for _ in 0..<3 {
            try writer.clear()
            try writer.putString("x", forKey: "x")
            try await writer.write(protection: .none)
        }
        for storage in [reader, fresh] {
            #expect(storage.count == 500)
            #expect(try storage.getBytes(forKey: "n77").count == 256)
            #expect(try storage.getAll().count == 500)
            try await storage.reload()
            #expect(try storage.getAll() == ["x": .string("x")])
        }
    }

    @Test("What is put, removed and cleared while a record is written is neither lost nor taken for written")
    func meanwhile() async throws {
        let storage = try await filled(50)
        try await withThrowingTaskGroup { group in
            group.addTask {
                for round in 0..<200 {
                    try storage.putString("\(round)", forKey: "n\(round)")
                    if round == 60 { try storage.clear() }
                    if round > 70 { try storage.remove(forKey: "n\(round - 1)") }
                }
            }
            group.addTask {
                for _ in 0..<30 { try await storage.write() }
            }
            try await group.waitForAll()
        }
        let names = ((61..<70).map { "n\($0)" } + ["n199"]).sorted()
        #expect(try storage.names() == names)
        try await storage.write()
        #expect(!storage.hasUnwrittenChanges)
        let found = try await place.open()
        #expect(try found.names() == names && found.count == names.count)
    }
}
