import HardwareKeys
import SecureStorage
import TestSupport
import Testing

@Suite("STO-2: whichever call of the file system fails, the error is typed, the old state intact, and a retry works")
struct StorageFaultTests {
    @Test("In every way to write, once or for good", arguments: StorageChange.allCases, DiskFault.all)
    func fault(change: StorageChange, fault: DiskFault) async throws {
        let start = try await image(before: change)
        var number = 0
        while true {
            let disk = RecordingFileSystem(start)
            let faulty = FaultyFileSystem(fault, at: number, over: disk)
            try await attempt(change, fault, on: faulty, disk)
            guard faulty.isDead else { break }
            number += 1
        }
        #expect(number > 10)
    }

    @Test(
        "A process that dies before, in or after any call", arguments: StorageChange.allCases, DiskFault.Moment.allCases
    )
    func death(change: StorageChange, moment: DiskFault.Moment) async throws {
        let start = try await image(before: change)
        var number = 0
        while true {
            let disk = RecordingFileSystem(start)
            let faulty = FaultyFileSystem(.death(moment), at: number, over: disk)
            let isDone = await self.isDone(change, on: faulty)
            let left = StorageStage(on: RecordingFileSystem(disk.image))
            let found = try await left.content()?.number
            #expect(found == (isDone ? 2 : found))
            #expect(found == 2 || found == (change.startsFromNothing ? nil : 1))
            try await left.write(3)
            let again = try await left.content()?.number
            #expect(again == 3)
            guard faulty.isDead else { break }
            number += 1
        }
        #expect(number > 10)
    }

    @Test("Deleting: the storage is there or not, and the next try deletes it", arguments: DiskFault.all)
    func deletion(fault: DiskFault) async throws {
        let start = try await image(before: .write)
        var number = 0
        while true {
            let disk = RecordingFileSystem(start)
            let faulty = FaultyFileSystem(fault, at: number, over: disk)
            do {
                try await StorageStage(on: faulty).delete()
                #expect(disk.image.files["d/store.sst"] == nil)
            } catch {
                #expect(Self.isExpected(error, of: fault))
                faulty.heal()
                if disk.image.files["d/store.sst"] != nil { try await StorageStage(on: faulty).delete() }
            }
            let rest = try await StorageStage(on: RecordingFileSystem(disk.image)).content()
            #expect(rest == nil)
            guard faulty.isDead else { break }
            number += 1
        }
        #expect(number > 2)
    }

    /// A disk on which state 1 is written, or nothing where the change makes the storage.
    private func image(before change: StorageChange) async throws -> DiskImage {
        let disk = RecordingFileSystem()
        if !change.startsFromNothing { try await StorageStage(on: disk).write(1) }
        return disk.image
    }

    /// Changes from state 1 to 2 on a faulty disk, judges what that left, and tries again on the healed one.
    private func attempt(
        _ change: StorageChange, _ fault: DiskFault, on faulty: FaultyFileSystem, _ disk: RecordingFileSystem
    ) async throws {
        let stage = change.stage(on: faulty)
        let storage: SecureStorage
        do {
            storage = try await stage.open()
        } catch {
            #expect(Self.isExpected(error, of: fault), "\(error) after \(faulty.calls)")
            faulty.heal()
            storage = try await stage.open()
        }
        do {
            try change.prepare(2, in: storage)
        } catch {
            // What is put or removed may have to be looked up on the disk.
            #expect(Self.isExpected(error, of: fault), "\(error) after \(faulty.calls)")
            faulty.heal()
            try change.prepare(2, in: storage)
        }
        do {
            try await change.commit(2, in: storage)
        } catch {
            #expect(Self.isExpected(error, of: fault), "\(error) after \(faulty.calls)")
            let found = try await StorageStage(on: RecordingFileSystem(disk.image)).content()?.number
            #expect(found == 2 || found == (change.startsFromNothing ? nil : 1))
            faulty.heal()
            try await retry(change, in: storage, after: faulty.calls)
        }
        let found = try await StorageStage(on: RecordingFileSystem(disk.image)).content()?.number
        #expect(found == 2)
        #expect(!storage.hasUnwrittenChanges)
    }

    private func retry(_ change: StorageChange, in storage: SecureStorage, after calls: [String]) async throws {
        do {
            try await change.commit(2, in: storage)
        } catch {
            Issue.record("the retry failed with \(error) after \(calls)")
        }
    }

    /// Whether changing to state 2 came through.
    private func isDone(_ change: StorageChange, on disk: any FileSystem) async -> Bool {
        do {
            let storage = try await change.stage(on: disk).open()
            try change.prepare(2, in: storage)
            try await change.commit(2, in: storage)
            return true
        } catch {
            return false
        }
    }

    private static func isExpected(_ error: SecureStorageError, of fault: DiskFault) -> Bool {
        guard case .failure(.failed(let code), _) = fault else { return false }
        return error == .ioFailure(code: code)
    }
}
