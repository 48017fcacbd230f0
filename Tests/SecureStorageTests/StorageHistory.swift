import Foundation
import HardwareKeys
import Locking
import TestSupport
import Testing

@testable import SecureStorage

/// A storage on a disk in memory, as it was after each commit, and what a damage of each octet of its file may cost.
struct StorageHistory {
    /// A file between two operations.
    struct Moment {
        let image: DiskImage
        let parts: StorageParts
    }

    static let path = "d/test.sst"

    let place: StoragePlace
    let moments: [Moment]

    /// Makes some commits; every second history has its names in clear and a fingerprint.
    init(seed: UInt64, commits: Int) async throws {
        var dice = SeededGenerator(seed: seed)
        var place = try StoragePlace()
        place.configuration.directory = "d"
        place.configuration.namesInClear = seed.isMultiple(of: 2)
        let disk = RecordingFileSystem()
        place.environment.fileSystem = disk
        place.environment.logByteLimit = 2_000
        self.place = place
        // More than one block in every third.
        let most = seed.isMultiple(of: 3) ? 140 : 6
        let storage = try await place.open(fingerprint: Self.fingerprint(place))
        var moments: [Moment] = []
        var parts: StorageParts?
        for commit in 0..<commits {
            let changed = try Self.change(storage, upTo: most, isFirst: commit == 0, &dice)
            try await storage.write()
            let file = try #require(disk.image.files[Self.path])
            let next = try StorageParts(of: storage, file, changed: changed, behind: parts)
            parts = next
            moments.append(Moment(image: disk.image, parts: next))
        }
        self.moments = moments
    }

    static func fingerprint(_ place: StoragePlace) -> String? { place.configuration.namesInClear ? "fingerprint" : nil }

    /// Puts, removes, and rarely clears; gives the names that were touched.
    private static func change(
        _ storage: SecureStorage, upTo most: Int, isFirst: Bool, _ dice: inout SeededGenerator
    ) throws -> Set<String> {
        var changed: Set<String> = []
        if !isFirst, Int.random(in: 0..<12, using: &dice) == 0 {
            changed.formUnion(try storage.names())
            try storage.clear()
        }
        for number in isFirst ? 0..<most : 0..<Int.random(in: 1...3, using: &dice) {
            let name = "n\(isFirst ? number : Int.random(in: 0..<(most + 4), using: &dice))"
            changed.insert(name)
            if try !isFirst && storage.contains(key: name) && Bool.random(using: &dice) {
                try storage.remove(forKey: name)
            } else {
                let count = Int.random(in: 0...60, using: &dice)
                try storage.putBytes((0..<count).map { _ in UInt8.random(in: 0...255, using: &dice) }, forKey: name)
            }
        }
        return changed
    }
}

/// The parts of a file, found with the keys of its storage, and the content after each commit that is in it.
struct StorageParts {
    /// The content after a commit.
    struct State {
        var content: [String: [UInt8]]
        /// Nonce and ciphertext of each value.
        var places: [String: Range<Int>]
        /// The names that the commit touched; in a base all.
        var changed: Set<String>
    }

    /// A record of the log.
    struct Record {
        let first: Range<Int>
        let values: Range<Int>
        let second: Range<Int>
        let receipt: Range<Int>
        /// Whether it takes everything away that was before.
        let isClearing: Bool
    }

    /// A list, with the name by which it begins.
    struct Block {
        let firstName: String
        let copies: [Range<Int>]
    }

    let file: [UInt8]
    /// The two copies of header, wrap section, root and code.
    let heads: [Range<Int>]
    let blocks: [Block]
    var states: [State]
    var records: [Record]

    init(of storage: SecureStorage, _ file: [UInt8], changed: Set<String>, behind last: StorageParts?) throws {
        let layer = try #require(storage.state.withLock { $0.layer })
        let found = try StoreFile(parsing: file)
        let base = try BlockStore(found, with: layer.keys)
        self.file = file
        let starts = [0, found.header.spareStart]
        let headCount = found.head.count + found.code.count
        heads = starts.map { $0..<$0 + headCount }
        blocks = base.root.blocks.map { block in
            Block(
                firstName: block.firstName.text,
                copies: starts.map { start in
                    let place = start + headCount + block.start.blocks
                    return place..<place + block.byteCount
                })
        }
        var state = State(content: [:], places: [:], changed: changed)
        for (name, entry) in try layer.sortedEntries() {
            let value = ReadableEntry(entry: entry, name: name, keys: layer.keys)
            state.content[name.text] = try value.bytes()
            state.places[name.text] = try Self.place(of: Array(entry.sealed.combined.dropLast(16)), in: file)
        }
        guard let last, file.starts(with: last.file) else {
            state.changed = Set(state.content.keys)
            states = [state]
            records = []
            return
        }
        states = last.states + [state]
        records = last.records + [Self.record(in: file, from: last.file.count)]
    }

    private static func place(of bytes: [UInt8], in file: [UInt8]) throws -> Range<Int> {
        try #require(Data(file).range(of: Data(bytes)))
    }

    private static func record(in file: [UInt8], from start: Int) -> Record {
        func number(_ offset: Int) -> Int { (0..<4).reduce(0) { $0 | Int(file[offset + $1]) << (8 * $1) } }
        let half = 64 + number(start + 4) + 32
        let end = start + number(start)
        return Record(
            first: start..<start + half, values: start + half..<end - half, second: end - half..<end,
            receipt: end..<end + 24, isClearing: number(start + 44) & 1 == 1)
    }
}

extension StorageParts {
    /// What a damage of some octets costs.
    struct Cost {
        /// Nothing opens: both copies of the head are damaged.
        var isWhole = false
        /// Both lists of a block or of a commit are damaged: the loss has to be accepted first.
        var losesNames = false
        /// Entries that the damage is not in, as they have to be found.
        var kept: [String: [UInt8]] = [:]
        var damaged: Set<String> = []
        /// Names that a lost commit has touched: their entries have an older value, or are gone.
        var uncertain: Set<String> = []
        /// The commits that stand.
        var commits = 0
    }

    /// Computes the cost of a damage from the places of the parts alone.
    func cost(of hit: Range<Int>, isCut: Bool) -> Cost {
        var cost = Cost()
        guard !heads.allSatisfy(hit.overlaps) else {
            cost.isWhole = true
            return cost
        }
        cost.commits = standing(hit, isCut: isCut)
        let lost = records[..<cost.commits].indices.filter {
            hit.overlaps(records[$0].first) && hit.overlaps(records[$0].second)
        }
        for index in lost {
            let later = states[(index + 2)...].enumerated().filter { !lost.contains(index + 1 + $0.offset) }
            cost.uncertain.formUnion(states[index + 1].changed.subtracting(later.flatMap(\.element.changed)))
        }
        let state = states[cost.commits]
        let lostBlocks = blocks.indices.filter { blocks[$0].copies.allSatisfy(hit.overlaps) }
        let isBaseGone = records[..<cost.commits].indices.contains { records[$0].isClearing && !lost.contains($0) }
        cost.losesNames = !lost.isEmpty || (!lostBlocks.isEmpty && !isBaseGone)
        for (name, value) in state.content where !cost.uncertain.contains(name) {
            let last = states[1..<max(1, cost.commits + 1)].lastIndex { $0.changed.contains(name) }
            if last == nil, let block = blocks.lastIndex(where: { $0.firstName <= name }), lostBlocks.contains(block) {
                cost.uncertain.insert(name)
            } else if let place = state.places[name], place.overlaps(hit) {
                cost.damaged.insert(name)
            } else {
                cost.kept[name] = value
            }
        }
        return cost
    }

    /// Number of the records that stand: without the last receipt the end of the file looks as a crash leaves it.
    private func standing(_ hit: Range<Int>, isCut: Bool) -> Int {
        guard let last = records.last, hit.overlaps(last.receipt) else { return records.count }
        let first = records.indices.first { index in
            let record = records[index]
            // The tag of a value is in the list too.
            let hasHitValues = states[index + 1].places.values.contains {
                $0.overlaps(record.values) && $0.overlaps(hit)
            }
            return record.receipt.overlaps(hit)
                && (record.first.overlaps(hit) || hasHitValues || isCut && record.second.overlaps(hit))
        }
        return first ?? records.count
    }
}
