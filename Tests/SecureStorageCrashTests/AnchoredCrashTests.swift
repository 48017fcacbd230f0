import HardwareKeys
import SecureStorage
import TestSupport
import Testing

@Suite("6.4.5: an anchored storage is two files and a counter; a crash between any two of them is made good")
struct AnchoredCrashTests {
    private static let firstCount: UInt64 = 7

    @Test("The power goes at any moment: the storage opens, at or after the last acknowledged state")
    func powerLoss() async throws {
        let disk = RecordingFileSystem()
        let chip = try await PretendedChip(showing: Self.firstCount, notedBy: disk)
        let storage = try await StorageStage(on: disk, vault: chip, isAnchored: true).open()
        for number in 1...TestSize.commits {
            try NumberedContent(number).put(into: storage)
            try await storage.write()
            disk.acknowledge(number)
        }
        let loss = PowerLoss(of: disk)
        #expect(loss.count(at: loss.cuts.upperBound) ?? 0 > Self.firstCount, "the counter never went on")
        for cut in loss.cuts {
            for image in loss.images(at: cut) {
                let found = try await Self.content(of: image, loss.count(at: cut))
                #expect(found ?? 0 >= loss.acknowledged(at: cut) ?? 0, "after step \(cut): \(disk.steps[cut - 1])")
                #expect(found ?? 0 <= TestSize.commits)
            }
        }
    }

    @Test(
        "A process dies before, in or after any call; the next one opens what is there and writes",
        arguments: DiskFault.Moment.allCases)
    func death(moment: DiskFault.Moment) async throws {
        let first = RecordingFileSystem()
        let chip = try await PretendedChip(showing: Self.firstCount, notedBy: first)
        try await StorageStage(on: first, vault: chip, isAnchored: true).write(1)
        let count = PowerLoss(of: first).count(at: first.steps.count)
        var call = 0
        while true {
            let disk = RecordingFileSystem(first.image)
            let chip = try await PretendedChip(showing: count ?? Self.firstCount, notedBy: disk)
            let dying = FaultyFileSystem(.death(moment), at: call, over: disk)
            let isDone = await Self.isWritten(2, in: StorageStage(on: dying, vault: chip, isAnchored: true))
            let next = StorageStage(on: RecordingFileSystem(disk.image), vault: chip, isAnchored: true)
            let found = try await next.content()?.number
            #expect(found == 2 || found == 1 && !isDone, "\(moment) \(dying.calls.last ?? "")")
            try await next.write(3)
            let last = try await next.content()?.number
            #expect(last == 3)
            guard dying.isDead else { break }
            call += 1
        }
        #expect(call > 10)
    }

    @Test("An older disk is refused as soon as the counter has gone on")
    func olderDisk() async throws {
        let disk = RecordingFileSystem()
        let chip = try await PretendedChip(showing: Self.firstCount, notedBy: disk)
        let stage = StorageStage(on: disk, vault: chip, isAnchored: true)
        try await stage.write(1)
        let older = disk.image
        try await stage.write(2)
        let count = PowerLoss(of: disk).count(at: disk.steps.count)
        await #expect(throws: SecureStorageError.rollbackDetected) { try await Self.content(of: older, count) }
    }

    private static func content(of image: DiskImage, _ count: UInt64?) async throws -> Int? {
        let disk = RecordingFileSystem(image)
        let chip = try await PretendedChip(showing: count ?? firstCount, notedBy: disk)
        return try await StorageStage(on: disk, vault: chip, isAnchored: true).content()?.number
    }

    private static func isWritten(_ number: Int, in stage: StorageStage) async -> Bool {
        do {
            try await stage.write(number)
            return true
        } catch {
            return false
        }
    }
}
