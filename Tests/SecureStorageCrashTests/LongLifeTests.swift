import Foundation
import HardwareKeys
import SecureStorage
import TestSupport
import Testing

@Suite("Section 9: threads and long lives")
struct LongLifeTests {
    @Test(
        "A storage that is loaded and unloaded again and again takes no more memory and leaves no file open",
        .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/statm"), "there is no /proc here"))
    func loadAndUnload() throws {
        let folder = try TemporaryFolder()
        let seed = try ChildStorage("try", folder.path + "/d", "1")
        #expect(try seed.numbers() == [0, 1])
        let said = try ChildStorage("load", folder.path + "/d", String(TestSize.loads)).numbers()
        try #require(said.count == 4)
        #expect(said[2] <= said[0] + 256, "resident pages rose from \(said[0]) to \(said[2])")
        #expect(said[3] <= said[1], "open files rose from \(said[1]) to \(said[3])")
    }

    @Test("STO-8: tasks that put, read, write, update and reload one storage at the same time lose nothing")
    func stress() async throws {
        let stage = StorageStage(on: RecordingFileSystem())
        let storage = try await stage.open()
        try storage.putString("0", forKey: StorageCrashChild.counter)
        try await storage.write()
        let (tasks, rounds) = (6, 20)
        try await withThrowingTaskGroup(of: Int.self) { group in
            for task in 0..<tasks {
                group.addTask { try await Self.work(on: storage, as: task, rounds: rounds) }
            }
            let updates = try await group.reduce(0, +)
            try await storage.write()
            let found = try await stage.open()
            #expect(try Int(found.getString(forKey: StorageCrashChild.counter)) == updates)
            for task in 0..<tasks {
                #expect(try found.getBytes(forKey: "task-\(task)") == [UInt8](repeating: UInt8(rounds - 1), count: 64))
            }
        }
    }

    /// Does a bit of everything; returns how often it added one to the counter.
    private static func work(on storage: SecureStorage, as task: Int, rounds: Int) async throws -> Int {
        for round in 0..<rounds {
            try storage.putBytes([UInt8](repeating: UInt8(round), count: 64), forKey: "task-\(task)")
            _ = try await storage.update { draft throws(SecureStorageError) in
                let old = Int(try draft.getString(forKey: StorageCrashChild.counter)) ?? 0
                try draft.putString(String(old + 1), forKey: StorageCrashChild.counter)
            }
            #expect(try storage.getBytes(forKey: "task-\(task)") == [UInt8](repeating: UInt8(round), count: 64))
            if round % 3 == 0 { try await storage.write() }
            if round % 5 == 0 { try await storage.load() }
            _ = try storage.getAll()
        }
        return rounds
    }
}
