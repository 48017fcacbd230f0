import HardwareKeys
import TestSupport
import Testing

@Suite("STO-2: a fault while a file is replaced is a typed error, the old content stays, and the next try works")
struct AtomicFileFaultTests {
    private static let old = [UInt8](repeating: 1, count: 1_000)
    private static let new = [UInt8](repeating: 2, count: 2_000)

    @Test("Whichever call fails, once or for good", arguments: DiskFault.all)
    func fault(fault: DiskFault) throws {
        var call = 0
        while true {
            let disk = RecordingFileSystem(DiskImage(directories: ["d"], files: ["d/file": Self.old]))
            let faulty = FaultyFileSystem(fault, at: call, over: disk)
            let file = AtomicFile(named: "file", in: "d", of: faulty)
            let result = Result { () throws(FileSystemError) in try file.replace(with: Self.new) }
            try judge(result, fault, on: faulty, disk.image)
            guard faulty.isDead else { break }
            faulty.heal()
            try file.replace(with: Self.new)
            #expect(disk.image.files == ["d/file": Self.new], "\(fault) at \(faulty.calls[call])")
            call += 1
        }
        #expect(call >= 7)
    }

    /// Looks at what one failed, or not failed, replacement left.
    private func judge(
        _ result: Result<Void, FileSystemError>, _ fault: DiskFault, on disk: FaultyFileSystem, _ image: DiskImage
    ) throws {
        let found = try #require(image.files["d/file"])
        switch result {
        case .success: #expect(found == Self.new)
        case .failure(let error):
            guard case .failure(let injected, _) = fault else { throw error }
            #expect(error == injected)
            // Only a failing wait for the directory leaves content that was not promised.
            #expect(found == (disk.calls.contains("rename") && image.files["d/file.new"] == nil ? found : Self.old))
            #expect(found == Self.old || disk.calls.contains("synchronizeDirectory"))
        }
    }

    @Test("A signal in any step of the writing is no error")
    func signal() throws {
        for step in ["makeFile", "write", "synchronize"] {
            let disk = RecordingFileSystem(DiskImage(directories: ["d"]))
            let probe = FaultyFileSystem(.shortWrite(isLasting: false), at: .max, over: RecordingFileSystem(disk.image))
            try AtomicFile(named: "file", in: "d", of: probe).replace(with: Self.new)
            let number = try #require(probe.calls.firstIndex(of: step))
            let faulty = FaultyFileSystem(.failure(.failed(code: 4), isLasting: false), at: number, over: disk)
            try AtomicFile(named: "file", in: "d", of: faulty).replace(with: Self.new)
            #expect(disk.image.files == ["d/file": Self.new])
        }
    }

    @Test("Signals that never end are told as EINTR instead of being waited for")
    func endlessSignals() throws {
        let disk = RecordingFileSystem(DiskImage(directories: ["d"]))
        let faulty = FaultyFileSystem(.failure(.failed(code: 4), isLasting: true), at: 1, over: disk)
        #expect(throws: FileSystemError.failed(code: 4)) {
            try AtomicFile(named: "file", in: "d", of: faulty).replace(with: Self.new)
        }
        #expect(faulty.operationCount < 200)
    }
}
