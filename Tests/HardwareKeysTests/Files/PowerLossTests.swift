import HardwareKeys
import TestSupport
import Testing

@Suite("STO-1: the power may go at any moment while a file is replaced")
struct PowerLossTests {
    /// A way to make `bytes` the content of `d/file`.
    typealias Replacement = @Sendable (any FileSystem, [UInt8]) throws(FileSystemError) -> Void

    private static let contents = [400, 1_300, 900].enumerated().map { number, count in
        [UInt8](repeating: UInt8(number + 1), count: count)
    }

    @Test("An atomic file is always a whole content at or after the last acknowledged one", arguments: [512, 4_096])
    func atomicFile(sectorByteCount: Int) throws {
        let losses = try Self.losses(sectorByteCount: sectorByteCount) { disk, bytes throws(FileSystemError) in
            try AtomicFile(named: "file", in: "d", of: disk).replace(with: bytes)
        }
        #expect(losses.bad == 0)
        #expect(losses.images > 30)
    }

    @Test("What a power loss left behind does not hinder the next replacement")
    func leftovers() throws {
        let disk = RecordingFileSystem(DiskImage(directories: ["d"]))
        for content in Self.contents { try AtomicFile(named: "file", in: "d", of: disk).replace(with: content) }
        let loss = PowerLoss(of: disk)
        for image in Set(loss.cuts.flatMap(loss.images)) {
            let next = RecordingFileSystem(image)
            try AtomicFile(named: "file", in: "d", of: next).replace(with: [7])
            #expect(next.image.files == ["d/file": [7]])
        }
    }

    @Test("A file that was removed does not come back once that was acknowledged")
    func removal() throws {
        let disk = RecordingFileSystem(DiskImage(directories: ["d"], files: ["d/file": [1]]))
        try AtomicFile(named: "file", in: "d", of: disk).remove()
        let loss = PowerLoss(of: disk)
        #expect(loss.images(at: 1) == [DiskImage(directories: ["d"]), disk.start])
        #expect(loss.images(at: 2) == [DiskImage(directories: ["d"])])
    }

    // MARK: - The tester itself: every broken way to replace a file is found out

    @Test("It finds a file that is renamed without having been synchronised")
    func unsynchronizedContent() throws {
        let losses = try Self.losses { disk, bytes throws(FileSystemError) in
            try Self.write(bytes, to: disk, synchronizing: false)
            try disk.rename("d/file.new", to: "d/file")
            try disk.synchronizeDirectory("d")
        }
        #expect(losses.bad > 0)
    }

    @Test("It finds a directory that is not synchronised")
    func unsynchronizedDirectory() throws {
        let losses = try Self.losses { disk, bytes throws(FileSystemError) in
            try Self.write(bytes, to: disk, synchronizing: true)
            try disk.rename("d/file.new", to: "d/file")
        }
        #expect(losses.bad > 0)
    }

    @Test("It finds a file that is renamed before it is synchronised")
    func earlyRename() throws {
        let losses = try Self.losses { disk, bytes throws(FileSystemError) in
            let file = try disk.makeFile("d/file.new")
            _ = try file.write(bytes[...])
            try disk.rename("d/file.new", to: "d/file")
            try file.synchronize()
            try disk.synchronizeDirectory("d")
        }
        #expect(losses.bad > 0)
    }

    @Test("It finds a file that is removed before the new one has its name")
    func removeFirst() throws {
        let losses = try Self.losses { disk, bytes throws(FileSystemError) in
            try Self.write(bytes, to: disk, synchronizing: true)
            try? disk.remove("d/file")
            try disk.synchronizeDirectory("d")
            try disk.rename("d/file.new", to: "d/file")
            try disk.synchronizeDirectory("d")
        }
        #expect(losses.bad > 0)
    }

    @Test("It finds a lost sector, a lost end and a lost name of a new file")
    func imagesOfOneFile() throws {
        let disk = RecordingFileSystem(DiskImage(directories: ["d"]))
        _ = try disk.makeFile("d/new").write([UInt8](repeating: 1, count: 1_024)[...])
        let (sector, hole) = ([UInt8](repeating: 1, count: 512), [UInt8](repeating: 0, count: 512))
        let contents = [[], sector, sector + sector, sector + hole, hole + sector, hole + hole]
        let images = contents.map { DiskImage(directories: ["d"], files: ["d/new": $0]) }
        #expect(PowerLoss(of: disk).images(at: 2) == Set(images + [disk.start]))
    }

    private static func write(
        _ bytes: [UInt8], to disk: any FileSystem, synchronizing: Bool
    ) throws(FileSystemError) {
        let file = try disk.makeFile("d/file.new")
        _ = try file.write(bytes[...])
        if synchronizing { try file.synchronize() }
    }

    /// Replaces a file a few times and judges every disk that a power loss may leave.
    private static func losses(
        sectorByteCount: Int = 512, _ replace: Replacement
    ) throws -> (images: Int, bad: Int) {
        let disk = RecordingFileSystem(DiskImage(directories: ["d"]))
        for (number, content) in contents.enumerated() {
            try replace(disk, content)
            disk.acknowledge(number)
        }
        let loss = PowerLoss(of: disk, sectorByteCount: sectorByteCount)
        var result = (images: 0, bad: 0)
        for cut in loss.cuts {
            let allowed = contents[(loss.acknowledged(at: cut) ?? 0)...]
            for image in loss.images(at: cut) {
                result.images += 1
                let found = image.files["d/file"]
                let isSound = found.map(allowed.contains) ?? (loss.acknowledged(at: cut) == nil)
                if !isSound { result.bad += 1 }
            }
        }
        return result
    }
}
