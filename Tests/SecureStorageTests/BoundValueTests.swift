import Crypto
import HardwareKeys
import SecureStorage
import TestSupport
import Testing

@Suite("6.2 and 6.3: values are bound to name, type, storage and state; nonces are fresh")
struct BoundValueTests {
    /// What stands before a value, without the name.
    private static let contextByteCount = 5 + 8 + 1 + 1

    private var place: StoragePlace
    private let randomness = RecordedRandomness()

    init() throws {
        place = try StoragePlace()
        let randomness = randomness
        place.environment.randomOctets = { randomness.draw($0) }
        place.configuration.namesInClear = true
    }

    @Test("Whoever has the key of the HMAC still cannot move a value to another name")
    func moved() async throws {
        let storage = try await place.open()
        try storage.putString("first", forKey: "a")
        try storage.putString("other", forKey: "b")
        try await storage.write()
        let file = try place.file()
        let sealed = 12 + Self.contextByteCount + 1 + 5 + 16
        let values = file.count - 48 - 2 * sealed
        let swapped =
            Array(file[..<values]) + file[(values + sealed)..<(values + 2 * sealed)] + file[values..<(values + sealed)]
            + file.suffix(48)
        try place.replaceFile(with: randomness.authenticated(swapped))
        let opened = try await place.open()
        #expect(throws: SecureStorageError.storageCorrupted) { try opened.getString(forKey: "a") }
        #expect(throws: SecureStorageError.storageCorrupted) { try opened.getString(forKey: "b") }
    }

    @Test("Nor give it another type, another name or another state")
    func retyped() async throws {
        let storage = try await place.open()
        try storage.putString("first", forKey: "a")
        try await storage.write()
        try await storage.write()
        let file = try place.file()
        let index = file.count - 48 - (12 + Self.contextByteCount + 1 + 5 + 16) - (1 + 2 + 1 + 8 + 4 + 4)
        for (offset, value) in [(0, 2), (3, UInt8(ascii: "b")), (4, 2)] as [(Int, UInt8)] {
            var changed = file
            changed[index + offset] = value
            try place.replaceFile(with: randomness.authenticated(changed))
            let opened = try await place.open()
            #expect(throws: SecureStorageError.storageCorrupted) { try opened.getAll() }
        }
        for (offset, value) in [(0, 3), (1, 0), (3, UInt8(ascii: "/")), (4, 9), (12, 1), (16, 9)] as [(Int, UInt8)] {
            var changed = file
            changed[index + offset] = value
            try place.replaceFile(with: randomness.authenticated(changed))
            await #expect(throws: SecureStorageError.storageCorrupted) { try await place.open() }
        }
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
            let values = names.reduce(0) { $0 + 28 + Self.contextByteCount + 2 * $1.utf8.count }
            let list = names.reduce(0) { $0 + 19 + $1.utf8.count }
            lists.append(Array(file[(file.count - 48 - values - list)..<(file.count - 48 - values)]))
        }
        #expect(lists[0] == lists[1])
    }

    @Test("Every encryption draws its own nonce, also after an older copy was put back (STO-6)")
    func nonces() async throws {
        let storage = try await place.open()
        for round in 0..<5_000 { try storage.putString("value", forKey: "n\(round % 50)") }
        try await storage.write()
        let copy = try place.file()
        for round in 0..<5_000 { try storage.putString("value", forKey: "n\(round % 50)") }
        try await storage.write()
        try place.replaceFile(with: copy)
        try await storage.reload()
        for round in 0..<5_000 { try storage.putString("value", forKey: "n\(round % 50)") }
        try await storage.write()
        // One for the root key; the index is in clear.
        #expect(randomness.nonces.count == 15_000 + 1)
        #expect(Set(randomness.nonces).count == randomness.nonces.count)
        let file = try place.file()
        let invocations = file[96..<104].enumerated().reduce(UInt64(0)) { $0 | UInt64($1.element) << (8 * $1.offset) }
        #expect(invocations == 10_000 + 2)
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
        #expect(after[96..<104] == [4, 0, 0, 0, 0, 0, 0, 0])
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
