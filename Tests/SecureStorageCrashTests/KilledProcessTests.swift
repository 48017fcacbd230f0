import Foundation
import HardwareKeys
import SecureStorage
import TestSupport
import Testing

@Suite("STO-1 and STO-8: processes that work on one storage and are killed", .serialized)
struct KilledProcessTests {
    @Test("A process that is killed while it writes leaves a whole state at or after the last one it acknowledged")
    func killedWriter() async throws {
        let folder = try TemporaryFolder()
        let stage = StorageStage(folder.path + "/d", on: PosixFileSystem())
        var dice = SeededGenerator(seed: TestSize.seed)
        var last = 0
        var interrupted = 0
        for round in 0..<TestSize.kills {
            let child = try ChildStorage("write", folder.path + "/d")
            // Some die while they start and open the storage.
            if round % 8 != 0 { child.waitForWord() }
            try await Task.sleep(for: .microseconds(Int.random(in: 0...20_000, using: &dice)))
            let acknowledged = try child.kill().last ?? last
            // The first may die before there is a folder.
            if let names = try? folder.names(in: "d"), names.contains("store.sst.new") { interrupted += 1 }
            if let file = try? folder.bytes(of: "d/store.sst"), Self.isCut(file) { interrupted += 1 }
            let found = try await stage.content()?.number ?? 0
            let context = "round \(round) of seed \(TestSize.seed)"
            #expect(found >= acknowledged && found >= last, "\(context): \(found) after \(acknowledged) and \(last)")
            #expect(found <= max(acknowledged, last) + (acknowledged == last ? .max / 2 : 1), "\(context)")
            last = found
        }
        #expect(last > TestSize.kills, "the processes hardly wrote anything")
        #expect(interrupted > 0, "no process died between two steps of a commit")
        try await stage.write(last + 1)
        let found = try await stage.content()?.number
        #expect(found == last + 1)
    }

    /// Whether a file ends within a record or before its receipt.
    private static func isCut(_ file: [UInt8]) -> Bool {
        func number(at offset: Int) -> Int { (0..<4).reduce(0) { $0 | Int(file[offset + $1]) << (8 * $1) } }
        var end = 2 * (128 + number(at: 124) + number(at: 116) + 32) + number(at: 120)
        while end + 4 <= file.count { end += number(at: end) + 24 }
        return end != file.count
    }

    @Test("Eight processes that add to one number lose nothing, also when one that holds the lock is killed")
    func counters() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/d"
        let stage = StorageStage(path, on: PosixFileSystem())
        try await stage.open().write()
        let victim = try ChildStorage("lock", path + "/store.lock")
        victim.waitForWord()
        let children = try (0..<8).map { _ in try ChildStorage("count", path, String(TestSize.updates)) }
        let doomed = try ChildStorage("count", path, "1000000")
        _ = try victim.kill()
        doomed.waitForWord()
        let extra = try doomed.kill()
        let said = try children.map { try $0.numbers() }
        #expect(children.filter(\.isSuccess).count == children.count)
        #expect(said.map(\.count) == said.map { _ in TestSize.updates })
        let sum = Int(try await stage.open().getString(forKey: StorageCrashChild.counter)) ?? 0
        let expected = 8 * TestSize.updates + extra.count
        // What the killed one did last may stand without having been acknowledged.
        #expect(sum == expected || sum == expected + 1)
        #expect(Set(said.joined()).union(extra).count == expected, "two processes were told the same sum")
    }

    @Test("A process that is killed while it holds the lock gives it up")
    func killedHolder() async throws {
        let folder = try TemporaryFolder()
        let holder = try ChildStorage("lock", folder.path + "/lock")
        holder.waitForWord()
        _ = try holder.kill()
        try await PosixFileSystem().lock(folder.path + "/lock").release()
    }
}
