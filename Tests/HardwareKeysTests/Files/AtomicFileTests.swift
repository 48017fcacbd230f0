import HardwareKeys
import TestSupport
import Testing

@Suite("STO-1: a file is replaced as a whole or not at all")
struct AtomicFileTests {
    @Test(
        "Whatever operation is the last, the file is the old or the new one",
        arguments: FaultyFileSystem.Moment.allCases)
    func crash(moment: FaultyFileSystem.Moment) throws {
        let folder = try TemporaryFolder()
        let old = [UInt8](repeating: 1, count: 1_000)
        let new = [UInt8](repeating: 2, count: 2_000)
        let sound = AtomicFile(named: "file", in: folder.path, of: PosixFileSystem())
        var operation = 0
        while true {
            try sound.replace(with: old)
            let disk = FaultyFileSystem(dyingAt: operation, moment)
            let result = Result { try AtomicFile(named: "file", in: folder.path, of: disk).replace(with: new) }
            let found = try sound.read(atMost: 10_000)
            #expect(found == old || found == new)
            guard disk.isDead else {
                #expect(found == new)
                try result.get()
                break
            }
            #expect(throws: FileSystemError.failed(code: 5)) { try result.get() }
            operation += 1
        }
        #expect(operation == 7, "remove, make, write, synchronise, close, rename, synchronise the directory")
    }

    @Test("A file that was left half written is removed by the next replacement and never read")
    func leftover() throws {
        let folder = try TemporaryFolder()
        let disk = PosixFileSystem()
        let file = AtomicFile(named: "file", in: folder.path, of: disk)
        try disk.create(folder.path + "/file.new", holding: [9])
        #expect(throws: FileSystemError.absent) { try file.read(atMost: 10) }
        try file.replace(with: [1])
        #expect(try file.read(atMost: 10) == [1])
        #expect(try folder.names() == ["file"])
    }

    @Test("A file over the limit, a link and a file of others are refused")
    func refusals() throws {
        let folder = try TemporaryFolder()
        let disk = PosixFileSystem()
        try disk.create(folder.path + "/file", holding: [1, 2, 3])
        #expect(try disk.read(folder.path + "/file", atMost: 3) == [1, 2, 3])
        #expect(throws: FileSystemError.tooLarge(limit: 2)) { try disk.read(folder.path + "/file", atMost: 2) }
        #expect(throws: FileSystemError.exposed) { try disk.read(folder.path, atMost: 2) }
        #expect(throws: FileSystemError.present) { try disk.create(folder.path + "/file", holding: []) }
        try folder.setPermissions(0o640, of: "file")
        #expect(throws: FileSystemError.exposed) { try disk.read(folder.path + "/file", atMost: 3) }
    }
}
