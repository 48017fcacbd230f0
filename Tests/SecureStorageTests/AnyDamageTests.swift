import HardwareKeys
import TestSupport
import Testing

@testable import SecureStorage

/// 'Other' than what a damage is in are all entries whose nonce and ciphertext have no damaged octet, with these
/// exceptions: both copies of the head damaged cost the file; both copies of a list the entries that it names; both lists
/// of a commit what that commit changed; and an end of the file without its last receipt the commits that are not whole.
@Suite("N-M1: one damage costs what it is in, and everything else stays readable and writable")
struct AnyDamageTests {
    /// A damage: octets that are changed, or everything from a place on.
    enum Damage {
        case bit(Int, UInt8)
        case zeros(Range<Int>)
        case cut(Int)

        /// The octets that differ, from the first to the last.
        func range(in file: [UInt8]) -> Range<Int> {
            switch self {
            case .bit(let offset, _): return offset..<offset + 1
            case .zeros(let range):
                let last = range.last { file[$0] != 0 } ?? range.lowerBound - 1
                let first = range.first { file[$0] != 0 } ?? range.lowerBound
                return first..<last + 1
            case .cut(let count): return count..<file.count
            }
        }

        var isCut: Bool { if case .cut = self { true } else { false } }

        func applied(to file: [UInt8]) -> [UInt8] {
            var file = file
            switch self {
            case .bit(let offset, let bit): file[offset] ^= 1 << bit
            case .zeros(let range): for offset in range { file[offset] = 0 }
            case .cut(let count): file.removeLast(file.count - count)
            }
            return file
        }

        static func random(in file: [UInt8], _ dice: inout SeededGenerator) -> Damage {
            let start = Int.random(in: 0..<file.count, using: &dice)
            switch Int.random(in: 0..<4, using: &dice) {
            case 0, 1: return .bit(start, UInt8.random(in: 0..<8, using: &dice))
            case 2:
                let most = [16, 512, file.count][Int.random(in: 0..<3, using: &dice)]
                return .zeros(start..<min(file.count, start + Int.random(in: 1...most, using: &dice)))
            default: return .cut(start)
            }
        }
    }

    /// `SIGNET_STORAGE_DAMAGES`: how many damages are done.
    private static let damages = SlowTests.size("SIGNET_STORAGE_DAMAGES", sample: 48, whole: 20_000)
    private static let commits = 12

    @Test("Any bit, any stretch of zeros, any cut, between any two commits: through two compactions")
    func anyDamage() async throws {
        var dice = SeededGenerator(seed: 47)
        var (done, seed) = (0, UInt64(1))
        var kinds: [String: Int] = [:]
        while done < Self.damages {
            let history = try await StorageHistory(seed: seed, commits: Self.commits)
            let share = min(Self.damages - done, 50, Self.damages / 12)
            for _ in 0..<share {
                let moment = try #require(history.moments.randomElement(using: &dice))
                let damage = Damage.random(in: moment.parts.file, &dice)
                kinds["\(damage)".prefix { $0 != "(" }.description, default: 0] += 1
                try await Self.judge(damage, at: moment, of: history, isLoaded: done.isMultiple(of: 8), seed)
                done += 1
            }
            seed += 1
        }
        print("damages: \(done) in \(seed - 1) histories, \(kinds.sorted { $0.key < $1.key })")
        #expect(done == Self.damages)
    }

    private static func judge(
        _ damage: Damage, at moment: StorageHistory.Moment, of history: StorageHistory, isLoaded: Bool, _ seed: UInt64
    ) async throws {
        let parts = moment.parts
        let cost = parts.cost(of: damage.range(in: parts.file), isCut: damage.isCut)
        let context = "\(damage) in seed \(seed), \(parts.file.count) bytes, \(parts.records.count) records"
        var image = moment.image
        image.files[StorageHistory.path] = damage.applied(to: parts.file)
        if isLoaded { try await judgeLoaded(image, moment, history, cost, context) }
        var place = history.place
        place.environment.fileSystem = RecordingFileSystem(image)
        // Every commit is a compaction.
        place.environment.logByteLimit = 0
        let fingerprint = StorageHistory.fingerprint(place)
        if cost.isWhole || cost.losesNames {
            let found = await error { _ = try await place.open(fingerprint: fingerprint).getAll() }
            #expect(cost.isWhole ? found != nil : found == .entriesLost, "\(context)")
            guard !cost.isWhole else { return }
        }
        var accepting = place
        accepting.configuration.givesUpLostEntries = cost.losesNames
        var storage = try await accepting.open(fingerprint: fingerprint)
        try check(storage, cost, context)
        for round in 1...2 {
            try storage.putBytes([UInt8(round)], forKey: "new-\(round)")
            try await storage.write()
            storage = try await place.open(fingerprint: fingerprint)
            try check(storage, cost, context)
            #expect(try storage.getBytes(forKey: "new-\(round)") == [UInt8(round)], "\(context)")
        }
        for name in cost.damaged {
            #expect(throws: Never.self, "\(name): \(context)") { try storage.remove(forKey: name) }
        }
        try await storage.write()
        storage = try await place.open(fingerprint: fingerprint)
        #expect(try storage.damagedNames().filter { !cost.uncertain.contains($0) } == [], "\(context)")
    }

    /// The file is damaged under a storage that has it in memory, which then writes two bases.
    private static func judgeLoaded(
        _ image: DiskImage, _ moment: StorageHistory.Moment, _ history: StorageHistory, _ cost: StorageParts.Cost,
        _ context: String
    ) async throws {
        let disk = RecordingFileSystem(moment.image)
        var place = history.place
        place.environment.fileSystem = disk
        place.environment.logByteLimit = 0
        let fingerprint = StorageHistory.fingerprint(place)
        let storage = try await place.open(fingerprint: fingerprint)
        try disk.remove(StorageHistory.path)
        _ = try disk.makeFile(StorageHistory.path).write(image.files[StorageHistory.path, default: []][...])
        let isBehind = !cost.isWhole && cost.commits < moment.parts.records.count
        for round in 1...2 {
            try storage.putBytes([UInt8(round)], forKey: "new-\(round)")
            let found = await error { try await storage.write() }
            if isBehind, found != nil {
                #expect(found == .rollbackDetected, "in memory: \(context)")
                return
            }
            guard !cost.isWhole || found == nil else { return }
            #expect(found == nil, "in memory: \(context)")
        }
        let content = try await place.open(fingerprint: fingerprint).getAll()
        let last = moment.parts.states[moment.parts.records.count].content
        for (name, value) in last { #expect(content[name] == .bytes(value), "in memory: \(context)") }
        #expect(content.count == last.count + 2, "in memory: \(context)")
    }

    private static func check(_ storage: SecureStorage, _ cost: StorageParts.Cost, _ context: String) throws {
        for (name, value) in cost.kept {
            let found = try? storage.getBytes(forKey: name)
            #expect(found == value, "\(name): \(context)")
        }
        for name in cost.damaged {
            #expect(throws: SecureStorageError.entryDamaged(name: name), "\(name): \(context)") {
                try storage.getBytes(forKey: name)
            }
        }
        let names = Set(try storage.names()).subtracting(cost.uncertain).filter { !$0.hasPrefix("new-") }
        #expect(names == Set(cost.kept.keys).union(cost.damaged), "\(context)")
        let damaged = try storage.damagedNames().filter { !cost.uncertain.contains($0) }
        #expect(Set(damaged) == cost.damaged, "\(context)")
    }

    private static func error(_ body: () async throws -> Void) async -> SecureStorageError? {
        do {
            try await body()
            return nil
        } catch {
            return error as? SecureStorageError ?? .storageCorrupted
        }
    }
}
