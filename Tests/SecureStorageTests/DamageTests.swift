import HardwareKeys
import SecureStorage
import TestSupport
import Testing

@Suite("6.2: a changed file never gives wrong data, and loses as little as can be (STO-3, STO-4)")
struct DamageTests {
    private let place: StoragePlace

    init() throws {
        place = try StoragePlace()
    }

    private func written(inClear: Bool, fingerprint: String?) async throws -> [UInt8] {
        var place = place
        place.configuration.namesInClear = inClear
        let storage = try await place.open(fingerprint: fingerprint)
        try storage.putString("v", forKey: "n")
        try storage.putBytes(Array(0..<20), forKey: "o")
        try await storage.write()
        return try place.file()
    }

    /// What a bit that is flipped in both copies may give; everything that is not here gives `storageCorrupted`.
    private static func expected(at offset: Int, bit: Int, in file: [UInt8]) -> SecureStorageError {
        let value = file[offset] ^ (1 << UInt8(bit))
        switch offset {
        case 8, 9:
            let major = UInt16(offset == 8 ? value : file[8]) | UInt16(offset == 9 ? value : file[9]) << 8
            return major > 1 ? .unreadableStorage(.newerFormat(major: major)) : .storageCorrupted
        case 49 where [1, 2, 4].contains(value):
            // The key is not opened before the user has shown what the file demands, and here no user can be asked.
            return .userPresenceFailed(.unavailable)
        case 50 where [2, 3].contains(value):
            return .secureHardwareUnavailable
        case FileLayout(file).block:
            return .entriesLost
        default:
            return .storageCorrupted
        }
    }

    /// Where the sealed hardware key stands in the wrap section: what is wrong there is the vault's to say.
    private static func sealedKeyRange(of file: [UInt8]) throws -> Range<Int> {
        var offset = 128
        while offset + 4 <= file.count {
            let tag = Int(file[offset]) | Int(file[offset + 1]) << 8
            let count = Int(file[offset + 2]) | Int(file[offset + 3]) << 8
            if tag == 2 { return offset + 4..<offset + 4 + count }
            offset += 4 + count
        }
        throw SecureStorageError.storageCorrupted
    }

    @Test(
        "A bit that is flipped in both copies of the head is noticed, with the error of its field",
        arguments: [(false, nil), (true, "fingerprint")] as [(Bool, String?)])
    func bits(inClear: Bool, fingerprint: String?) async throws {
        let file = try await written(inClear: inClear, fingerprint: fingerprint)
        let sealedKey = try Self.sealedKeyRange(of: file)
        for offset in 0..<FileLayout(file).block.upperBound {
            for bit in 0..<8 {
                try place.replaceFile(with: FileLayout.twice(file) { $0[offset] ^= 1 << UInt8(bit) })
                let error = await failure(fingerprint)
                if sealedKey.contains(offset) {
                    let isVaults =
                        switch error {
                        case .storageCorrupted, .unrecoverableKey, .unreadableStorage(.newerFormat): true
                        default: false
                        }
                    #expect(isVaults, "bit \(bit) of byte \(offset): \(String(describing: error))")
                } else {
                    let expected = Self.expected(at: offset, bit: bit, in: file)
                    #expect(error == expected, "bit \(bit) of byte \(offset)")
                }
            }
        }
        try place.replaceFile(with: file)
        #expect(try await place.open(fingerprint: fingerprint).getString(forKey: "n") == "v")
    }

    @Test("A shorter file has lost what it lacks and no more; what grows behind a file was never written")
    func lengths() async throws {
        let file = try await written(inClear: false, fingerprint: nil)
        let layout = FileLayout(file)
        for count in 0..<file.count {
            try place.replaceFile(with: Array(file.prefix(count)))
            let expected: SecureStorageError? =
                switch count {
                case ..<layout.code.upperBound: .storageCorrupted
                case ..<layout.block.upperBound: .entriesLost
                case ..<(layout.values.lowerBound + 12 + 15 + 2): .entryDamaged(name: "n")
                case ..<(layout.values.upperBound - 16): .entryDamaged(name: "o")
                default: nil
                }
            #expect(await failure(nil) == expected, "\(count) bytes")
        }
        for count in 1...100 {
            try place.replaceFile(with: file + [UInt8](repeating: UInt8(count & 1), count: count))
            #expect(try await place.open().count == 2, "\(count) bytes more")
        }
        let storage = try await place.open()
        try storage.putString("w", forKey: "n")
        try await storage.write()
        #expect(try await place.open().getString(forKey: "n") == "w")
        #expect(FileLayout(try place.file()).spare.upperBound == (try place.file()).count)
    }

    @Test("Monstrous lengths take no memory")
    func monsters() async throws {
        let file = try await written(inClear: true, fingerprint: nil)
        let root = FileLayout(file).root.lowerBound
        // Lengths of the header, of the root, in the root and in its first record.
        for offset in [12, 112, 116, 120, 124, root - 4, root, root + 8, root + 12, root + 16] {
            let changed = FileLayout.twice(file) { for byte in 0..<4 { $0[offset + byte] = 0xFF } }
            try place.replaceFile(with: changed)
            #expect(await failure(nil) == .storageCorrupted)
        }
    }

    @Test("Parts of two generations, two storages or two names do not mix")
    func parts() async throws {
        let storage = try await place.open()
        try storage.putString("one", forKey: "n")
        try await storage.write()
        let one = try place.file()
        // Behind what was never acknowledged nothing is written: a new base of the same size takes its place.
        try place.replaceFile(with: one + [0])
        try storage.putString("two", forKey: "n")
        try await storage.write()
        let two = try place.file()
        let other = try await place.open("other")
        try other.putString("xyz", forKey: "n")
        try await other.write()
        let foreign = try place.file("other")
        #expect(one.count == two.count)
        for cut in 1..<one.count {
            try place.replaceFile(with: Array(one.prefix(cut) + two.dropFirst(cut)))
            let storage = try? await place.open()
            let found = try? storage?.getString(forKey: "n")
            // What opens is the one or the other, as the copies say; the value of the other is none for it.
            #expect(found == nil || found == "one" || found == "two", "cut at \(cut)")
            guard let storage, found == nil else { continue }
            do throws(SecureStorageError) {
                #expect(try storage.damagedNames() == ["n"], "cut at \(cut)")
            } catch {
                #expect(error == .entriesLost, "cut at \(cut)")
            }
        }
        try place.replaceFile(with: foreign)
        #expect(await failure(nil) == .storageCorrupted)
        try place.replaceFile(with: two)
        #expect(try await place.open().getString(forKey: "n") == "two")
    }

    /// What opening the file and reading all of it ends with; nil when it does not fail.
    private func failure(_ fingerprint: String?) async -> SecureStorageError? {
        do {
            _ = try await place.open(fingerprint: fingerprint).getAll()
            return nil
        } catch {
            return error
        }
    }
}
