import HardwareKeys
import SecureStorage
import TestSupport
import Testing

@Suite("STO-1: the power may go at any moment; the storage is a whole state at or after the last acknowledged one")
struct StoragePowerLossTests {
    @Test("While it is made and while it is written", arguments: StorageChange.allCases, [512, 4_096])
    func changes(change: StorageChange, sectorByteCount: Int) async throws {
        let disk = RecordingFileSystem()
        var number = 0
        if !change.startsFromNothing {
            try await StorageStage(on: disk).write(number)
            disk.acknowledge(number)
        }
        let storage = try await change.stage(on: disk).open()
        for _ in 0..<TestSize.commits {
            number += 1
            try change.prepare(number, in: storage)
            try await change.commit(number, in: storage)
            disk.acknowledge(number)
        }
        #expect(try await judge(PowerLoss(of: disk, sectorByteCount: sectorByteCount), upTo: number) > 10)
    }

    @Test("While it is deleted")
    func deletion() async throws {
        let disk = RecordingFileSystem()
        try await StorageStage(on: disk).write(1)
        let written = disk.steps.count
        try await StorageStage(on: disk).delete()
        disk.acknowledge(2)
        let loss = PowerLoss(of: disk)
        for cut in written...loss.cuts.upperBound {
            for image in loss.images(at: cut) {
                let found = try await StorageStage(on: RecordingFileSystem(image)).content()
                #expect(found == nil || found?.number == 1)
                if loss.acknowledged(at: cut) == 2 { #expect(found == nil) }
            }
        }
    }

    @Test("Whatever a power loss left behind, the storage can be written again, and that counts")
    func recovery() async throws {
        let disk = RecordingFileSystem()
        for number in 1...2 { try await StorageStage(on: disk).write(number) }
        let loss = PowerLoss(of: disk)
        for image in Set(loss.cuts.flatMap(loss.images)) {
            let next = RecordingFileSystem(image)
            try await StorageStage(on: next).write(9)
            let found = try await StorageStage(on: next).content()
            #expect(found?.number == 9)
            #expect(next.image.files["d/store.sst.new"] == nil)
        }
    }

    @Test("A write that calls nothing safe is found out: the tester sees lost and torn storages")
    func testerSeesLosses() async throws {
        let disk = RecordingFileSystem()
        try await StorageStage(on: disk).write(1)
        let whole = disk.image
        let content = try #require(whole.files["d/store.sst"])
        try disk.remove("d/store.sst")
        _ = try disk.makeFile("d/store.sst").write(content[...])
        var (lost, torn) = (0, 0)
        for image in PowerLoss(of: disk).images(at: disk.steps.count) {
            do {
                if try await StorageStage(on: RecordingFileSystem(image)).content() == nil { lost += 1 }
            } catch is SecureStorageError {
                torn += 1
            }
        }
        #expect(lost > 0 && torn > 0)
    }

    /// Opens every disk that a power loss may leave; returns how many there were.
    private func judge(_ loss: PowerLoss, upTo last: Int) async throws -> Int {
        var known: [DiskImage: Int] = [:]
        for cut in loss.cuts {
            let acknowledged = loss.acknowledged(at: cut)
            for image in loss.images(at: cut) {
                let found: Int
                if let number = known[image] {
                    found = number
                } else {
                    found = try await StorageStage(on: RecordingFileSystem(image)).content()?.number ?? -1
                    known[image] = found
                }
                #expect(found <= last)
                #expect(found >= acknowledged ?? -1, "after step \(cut) of \(loss.cuts.upperBound)")
            }
        }
        return known.count
    }
}
