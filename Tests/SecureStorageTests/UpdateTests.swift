import HardwareKeys
import SecureStorage
import TestSupport
import Testing

@Suite("6.4: commits, conflicts and updates")
struct UpdateTests {
    private let place: StoragePlace

    init() throws {
        place = try StoragePlace()
    }

    @Test("The second to come learns of it, loses nothing in memory, and writes after a reload")
    func conflict() async throws {
        let one = try await place.open()
        let other = try await place.open()
        try one.putString("one", forKey: "a")
        try await one.write()
        try other.putString("other", forKey: "b")
        await #expect(throws: SecureStorageError.conflict) { try await other.write() }
        #expect(try other.getString(forKey: "b") == "other")
        await #expect(throws: SecureStorageError.conflict) { try await other.update { _ in } }
        try await other.reload()
        try other.putString("other", forKey: "b")
        try await other.write()
        #expect(try await place.open().getAll() == ["a": .string("one"), "b": .string("other")])
    }

    @Test("A value that was damaged meanwhile is told to who reads it; who has it in memory can write it anew")
    func damagedMeanwhile() async throws {
        let storage = try await place.open()
        try storage.putString("one", forKey: "a")
        try await storage.write()
        var file = try place.file()
        file[FileLayout(file).values.lowerBound] ^= 1
        try place.replaceFile(with: file)
        try storage.putString("two", forKey: "b")
        try await storage.write()
        let other = try await place.open()
        #expect(try other.getString(forKey: "b") == "two")
        #expect(throws: SecureStorageError.entryDamaged(name: "a")) { try other.getString(forKey: "a") }
        try await storage.write(protection: .none)
        #expect(try await place.open().getAll() == ["a": .string("one"), "b": .string("two")])
    }

    @Test("A damaged beginning, root, code or record costs who has it in memory nothing: the next write mends it")
    func damagedStructure() async throws {
        let storage = try await place.open()
        for name in ["a", "b"] {
            try storage.putString(name, forKey: name)
            try await storage.write()
        }
        let layout = FileLayout(try place.file())
        for offset in [0, layout.root.lowerBound, layout.code.lowerBound, -80, -1] {
            var file = try place.file()
            file[offset < 0 ? file.count + offset : offset] ^= 1
            // A longer file does not look like the one that the storage has written.
            try place.replaceFile(with: file + [0])
            try await storage.update { draft throws(SecureStorageError) in try draft.putString("x", forKey: "c") }
            #expect(try await place.open().getAll() == ["a": .string("a"), "b": .string("b"), "c": .string("x")])
        }
    }

    @Test("A beginning that is damaged in both of its copies is told, and stays")
    func damagedTwice() async throws {
        let storage = try await place.open()
        try storage.putString("one", forKey: "a")
        try await storage.write()
        let file = FileLayout.twice(try place.file()) { $0[FileLayout($0).root.lowerBound] ^= 1 } + [0]
        try place.replaceFile(with: file)
        try storage.putString("two", forKey: "b")
        await #expect(throws: SecureStorageError.storageCorrupted) { try await storage.write() }
        #expect(try place.file() == file)
    }

    @Test("An update that puts and removes nothing writes nothing, but takes what others wrote and what was put before")
    func idle() async throws {
        let storage = try await place.open()
        try await storage.update { _ in }
        let first = try place.file()
        try await storage.update { draft throws(SecureStorageError) in _ = try draft.contains(key: "a") }
        #expect(try place.file() == first)
        let other = try await place.open()
        try other.putString("other", forKey: "a")
        try await other.write()
        let second = try place.file()
        let found = try await storage.update { draft throws(SecureStorageError) in try draft.getString(forKey: "a") }
        #expect(found == "other")
        #expect(try storage.getString(forKey: "a") == "other")
        #expect(try place.file() == second)
        try storage.putString("put before", forKey: "b")
        try await storage.update { _ in }
        #expect(try await place.open().getString(forKey: "b") == "put before")
    }

    @Test("Tasks that update a counter through storages of their own lose no step (STO-8)")
    func counter() async throws {
        let place = place
        try await withThrowingTaskGroup { group in
            for _ in 0..<4 {
                group.addTask {
                    let storage = try await place.open()
                    for _ in 0..<25 { try await Self.count(in: storage) }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await place.open().getString(forKey: "count") == "100")
    }

    @Test("Tasks that share one storage lose no step either")
    func sharedCounter() async throws {
        let storage = try await place.open()
        try await withThrowingTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<10 { try await Self.count(in: storage) }
                }
            }
            try await group.waitForAll()
        }
        #expect(try storage.getString(forKey: "count") == "80")
        #expect(!storage.hasUnwrittenChanges)
    }

    private static func count(in storage: SecureStorage) async throws(SecureStorageError) {
        try await storage.update { draft throws(SecureStorageError) in
            let count = try draft.contains(key: "count") ? Int(try draft.getString(forKey: "count")) ?? 0 : 0
            try draft.putString(String(count + 1), forKey: "count")
        }
    }

    @Test("An update that throws has changed nothing, in memory or on the disk")
    func failedUpdate() async throws {
        let storage = try await place.open()
        try storage.putString("value", forKey: "name")
        try await storage.write()
        let before = try place.file()
        await #expect(throws: SecureStorageError.unknownKey) {
            try await storage.update { draft throws(SecureStorageError) in
                draft.clear()
                try draft.remove(forKey: "none")
            }
        }
        #expect(try storage.getString(forKey: "name") == "value")
        #expect(try place.file() == before)
    }

    @Test("What is put while others write is neither lost nor taken for written")
    func meanwhile() async throws {
        let storage = try await place.open()
        try await withThrowingTaskGroup { group in
            group.addTask {
                for round in 0..<200 { try storage.putString("\(round)", forKey: "n\(round)") }
            }
            group.addTask {
                for _ in 0..<10 { try await storage.write(fingerprint: nil, protection: .none) }
            }
            try await group.waitForAll()
        }
        for round in 0..<200 { #expect(try storage.getString(forKey: "n\(round)") == "\(round)") }
        try await storage.write()
        #expect(!storage.hasUnwrittenChanges)
        #expect(try await place.open().count == 200)
    }

    @Test("A write that fails leaves everything as it was, and is repeated (STO-2)", arguments: DiskFault.refusals)
    func faults(refusal: FileSystemError) async throws {
        for step in 0..<40 {
            let storage = try await faulty(refusal, at: step)
            guard let storage else { continue }
            try storage.opened.putString("new", forKey: "name")
            do {
                try await storage.opened.write()
            } catch {
                #expect(storage.opened.hasUnwrittenChanges)
                storage.system.heal()
                try await storage.opened.write()
            }
            #expect(try await place.open().getString(forKey: "name") == "new")
            guard storage.system.isDead else { break }
        }
    }

    private func faulty(
        _ refusal: FileSystemError, at step: Int
    ) async throws -> (opened: SecureStorage, system: FaultyFileSystem)? {
        let sound = try await place.open()
        try sound.putString("old", forKey: "name")
        try await sound.write()
        let system = FaultyFileSystem(.failure(refusal, isLasting: true), at: step)
        var faulty = place
        faulty.environment.fileSystem = system
        guard let opened = try? await faulty.open() else { return nil }
        return (opened, system)
    }
}
