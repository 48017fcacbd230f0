import HardwareKeys
import TestSupport
import Testing

@Suite("STO-1 and STO-2: what is written behind a file is durable or told, and what was there before stays")
struct AppendedFileTests {
    private static let old = [UInt8](repeating: 1, count: 700)
    private static let record = [UInt8](repeating: 2, count: 1_300)
    private static let receipt = [UInt8](repeating: 3, count: 24)

    private func disk(leftover: Bool = false) -> RecordingFileSystem {
        var files = ["d/file": Self.old]
        if leftover { files["d/file.new"] = [9] }
        return RecordingFileSystem(DiskImage(directories: ["d"], files: files))
    }

    @Test("The record is behind the old content, its receipt behind the record, and no half replacement beside it")
    func content() throws {
        let disk = disk(leftover: true)
        let file = AtomicFile(named: "file", in: "d", of: disk)
        #expect(try file.append(Self.record, receipt: Self.receipt))
        #expect(disk.image.files == ["d/file": Self.old + Self.record + Self.receipt])
    }

    @Test("When the call returns the record is on the disk; of the receipt anything may be", arguments: [512, 4_096])
    func powerLoss(sectorByteCount: Int) throws {
        let disk = disk()
        _ = try AtomicFile(named: "file", in: "d", of: disk).append(Self.record, receipt: Self.receipt)
        disk.acknowledge(1)
        let loss = PowerLoss(of: disk, sectorByteCount: sectorByteCount)
        var lost = 0
        for cut in loss.cuts {
            for image in loss.images(at: cut) {
                let content = try #require(image.files["d/file"])
                #expect(content.starts(with: Self.old))
                if loss.acknowledged(at: cut) != nil { #expect(content.starts(with: Self.old + Self.record)) }
                if !content.starts(with: Self.old + Self.record) { lost += 1 }
            }
        }
        #expect(lost > 0, "no power loss was tried while the record was written")
    }

    @Test("Whichever call fails, the error is told, or the missing receipt is", arguments: DiskFault.all)
    func fault(fault: DiskFault) throws {
        var call = 0
        while true {
            let disk = disk()
            let faulty = FaultyFileSystem(fault, at: call, over: disk)
            let file = AtomicFile(named: "file", in: "d", of: faulty)
            let result = Result { () throws(FileSystemError) in try file.append(Self.record, receipt: Self.receipt) }
            let content = try #require(disk.image.files["d/file"])
            #expect(content.starts(with: Self.old))
            switch result {
            case .success(true): #expect(content == Self.old + Self.record + Self.receipt)
            case .success(false): #expect(content.starts(with: Self.old + Self.record))
            case .failure(let error): #expect(DiskFault.refusals.contains(error))
            }
            guard faulty.isDead else { break }
            call += 1
        }
        #expect(call >= 5)
    }

    @Test("An open file stays what it is when its name is given to another, and gives no more than it has")
    func opened() throws {
        let folder = try TemporaryFolder()
        let file = AtomicFile(named: "file", in: folder.path, of: PosixFileSystem())
        let first = try file.replaceAndOpen(with: Self.old)
        let again = try file.open()
        let second = try file.replaceAndOpen(with: Self.record)
        for opened in [first, again] {
            #expect(opened.byteCount == Self.old.count)
            #expect(try opened.read(count: 10, at: 5) == Array(Self.old[5..<15]))
            #expect(try opened.read(count: 100, at: 650) == Array(Self.old[650...]))
            #expect(try opened.read(count: 1, at: 5_000).isEmpty && opened.read(count: 1, at: -1).isEmpty)
        }
        #expect(try second.read(count: 2_000, at: 0) == Self.record)
        #expect(try file.append([4], receipt: [5]))
        #expect(try second.read(count: 2_000, at: 0) == Self.record + [4, 5])
    }

    @Test("A file that is not there, is a link or open to others is neither opened nor written on")
    func exposed() throws {
        let folder = try TemporaryFolder()
        let disk = PosixFileSystem()
        let file = AtomicFile(named: "file", in: folder.path, of: disk)
        #expect(throws: FileSystemError.absent) { try file.open() }
        #expect(throws: FileSystemError.absent) { try file.append([1], receipt: [2]) }
        try file.replace(with: [1])
        try folder.setPermissions(0o644, of: "file")
        #expect(throws: FileSystemError.exposed) { try file.open() }
        #expect(throws: FileSystemError.exposed) { try file.append([1], receipt: [2]) }
        #expect(try folder.bytes(of: "file") == [1])
    }
}
