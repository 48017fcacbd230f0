import Crypto
import HardwareKeys
import SecureStorage
import TestSupport
import Testing

@Suite("6.2 and 6.3: values are bound to name, type, storage and state; nonces are fresh")
struct BoundValueTests {
    /// Bytes of an entry in a list whose name has one letter.
    private static let entryByteCount = 1 + 1 + 1 + 8 + 4 + 16

    private var place: StoragePlace
    private let randomness = RecordedRandomness()

    init() throws {
        place = try StoragePlace()
        let randomness = randomness
        place.environment.randomOctets = { randomness.draw($0) }
        place.configuration.namesInClear = true
    }

    @Test("The holder of the HMAC's key still cannot move a value to another name")
    func moved() async throws {
        let storage = try await place.open()
        try storage.putString("first", forKey: "a")
        try storage.putString("other", forKey: "b")
        try await storage.write()
        var file = try place.file()
        let layout = FileLayout(file)
        Self.swapHalves(&file, layout.values)
        for place in 15..<31 {
            file.swapAt(layout.block.lowerBound + place, layout.block.lowerBound + Self.entryByteCount + place)
        }
        try place.replaceFile(with: randomness.authenticated(file))
        let opened = try await place.open()
        #expect(throws: SecureStorageError.entryDamaged(name: "a")) { try opened.getString(forKey: "a") }
        #expect(throws: SecureStorageError.entryDamaged(name: "b")) { try opened.getString(forKey: "b") }
    }

    @Test("Nor give it another type, another name, another state or another tag")
    func retyped() async throws {
        let storage = try await place.open()
        try storage.putString("first", forKey: "a")
        try await storage.write()
        try await storage.write(protection: .none)
        let file = try place.file()
        let list = FileLayout(file).block.lowerBound
        let changes = [
            (0, 2), (2, UInt8(ascii: "b")), (3, 2), (0, 3), (0, 0), (1, 0), (2, UInt8(ascii: "/")), (3, 9), (11, 1),
            (15, file[list + 15] ^ 1),
        ]
        for (offset, value) in changes {
            var changed = file
            changed[list + offset] = value
            try place.replaceFile(with: randomness.authenticated(changed))
            let opened = try await place.open()
            #expect(throws: SecureStorageError.self) { try opened.getAll() }
            #expect(throws: SecureStorageError.self) { try opened.withBytes(forKey: "a") { $0.count } }
        }
        try place.replaceFile(with: randomness.authenticated(file))
        #expect(try await place.open().getString(forKey: "a") == "first")
    }

    @Test("The same content has the same layout, in whatever order it was put")
    func layout() async throws {
        var lists: [[UInt8]] = []
        for names in [["a", "c", "b.x"], ["b.x", "c", "a"]] {
            let name = "s\(lists.count)"
            let storage = try await place.open(name)
            for entry in names { try storage.putString(entry, forKey: entry) }
            try await storage.write()
            let file = try place.file(name)
            var list = Array(file[FileLayout(file).block])
            // The tags depend on the nonces.
            var end = 0
            for name in names.sorted() {
                end += Self.entryByteCount - 1 + name.utf8.count
                list.replaceSubrange(end - 16..<end, with: [UInt8](repeating: 0, count: 16))
            }
            lists.append(list)
        }
        #expect(lists[0] == lists[1])
    }

    private static func swapHalves(_ file: inout [UInt8], _ range: Range<Int>) {
        let middle = (range.lowerBound + range.upperBound) / 2
        file.replaceSubrange(range, with: file[middle..<range.upperBound] + file[range.lowerBound..<middle])
    }

    @Test("Every encryption draws its own nonce, also after an older copy was put back (STO-6)")
    func nonces() async throws {
        var storage = try await place.open()
        for round in 0..<5_000 { try storage.putString("value", forKey: "n\(round % 50)") }
        try await storage.write()
        let copy = try place.file()
        for round in 0..<5_000 { try storage.putString("value", forKey: "n\(round % 50)") }
        try await storage.write()
        try place.replaceFile(with: copy)
        storage = try await place.open()
        for round in 0..<5_000 { try storage.putString("value", forKey: "n\(round % 50)") }
        try await storage.write()
        // One for the root key; the index is in clear.
        #expect(randomness.nonces.count == 15_000 + 1)
        #expect(Set(randomness.nonces).count == randomness.nonces.count)
        // The last commit is a record behind the older copy.
        let record = try place.file().dropFirst(copy.count)
        let invocations = record.dropFirst(24).prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        #expect(invocations == 10_000)
    }

    @Test("The root key is replaced once it was used often enough, and everything is still there (STO-7)")
    func rotation() async throws {
        var busy = place
        busy.environment.rotationThreshold = 10
        let storage = try await busy.open(fingerprint: "fp")
        for round in 0..<9 { try storage.putString("value \(round)", forKey: "n\(round % 3)") }
        try await storage.write()
        let before = try place.file()
        try storage.putString("last", forKey: "n0")
        try await storage.write()
        let after = try place.file()
        #expect(before[64..<96] != after[64..<96])
        #expect(after[96..<104] == [3, 0, 0, 0, 0, 0, 0, 0])
        let again = try await busy.open(fingerprint: "fp")
        #expect(try again.getString(forKey: "n0") == "last")
        #expect(try again.getString(forKey: "n2") == "value 8")
        #expect(try storage.getString(forKey: "n1") == "value 7")
    }

    @Test("A crash in any step of a rotation leaves the old or the new keys, and the content (STO-7)")
    func interruptedRotation() async throws {
        var plain = place
        plain.environment.randomOctets = nil
        let storage = try await plain.open()
        for name in ["a", "b", "c"] { try storage.putString(name, forKey: name) }
        try await storage.write()
        let file = try place.file()
        for moment in DiskFault.Moment.allCases {
            for step in 0..<100 {
                try place.replaceFile(with: file)
                let system = FaultyFileSystem(dyingAt: step, moment)
                var faulty = plain
                faulty.environment.fileSystem = system
                do {
                    try await faulty.open().write(fingerprint: nil, protection: .none)
                } catch {
                    #expect(error == .ioFailure(code: 5))
                }
                let again = try await plain.open()
                for name in ["a", "b", "c"] { #expect(try again.getString(forKey: name) == name) }
                try await again.write()
                guard system.isDead else { break }
            }
        }
    }
}
