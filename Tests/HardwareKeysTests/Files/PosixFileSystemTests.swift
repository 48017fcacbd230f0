import Foundation
import HardwareKeys
import TestSupport
import Testing

@Suite("Directories and files of the operating system are private and on this machine")
struct PosixFileSystemTests {
    @Test("STO-9: what it makes is for the owner only")
    func modes() async throws {
        let folder = try TemporaryFolder()
        try PosixFileSystem().makeDirectory(folder.path + "/a/b")
        try PosixFileSystem().create(folder.path + "/a/b/file", holding: [1])
        try await PosixFileSystem().lock(folder.path + "/a/b/lock").release()
        #expect(try folder.permissions(of: "a") == 0o700)
        #expect(try folder.permissions(of: "a/b") == 0o700)
        #expect(try folder.permissions(of: "a/b/file") == 0o600)
        #expect(try folder.permissions(of: "a/b/lock") == 0o600)
    }

    @Test("A directory that others may enter or write to is refused", arguments: [0o770, 0o707, 0o710, 0o750, 0o777])
    func openDirectory(mode: Int) throws {
        let folder = try TemporaryFolder()
        try PosixFileSystem().makeDirectory(folder.path + "/a")
        try folder.setPermissions(mode, of: "a")
        #expect(throws: FileSystemError.exposed) { try PosixFileSystem().makeDirectory(folder.path + "/a") }
        try folder.setPermissions(0o700, of: "a")
        try PosixFileSystem().makeDirectory(folder.path + "/a")
    }

    @Test("A directory of another account, a link and a file in its place are refused")
    func foreignDirectory() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/link", withDestinationPath: folder.path)
        try PosixFileSystem().create(folder.path + "/file", holding: [])
        #expect(throws: FileSystemError.self) { try PosixFileSystem().makeDirectory(folder.path + "/link") }
        #expect(throws: FileSystemError.self) { try PosixFileSystem().makeDirectory(folder.path + "/file") }
        guard geteuid() == 0 else { return }
        try PosixFileSystem().makeDirectory(folder.path + "/a")
        #expect(chown(folder.path + "/a", 1, 1) == 0)
        #expect(throws: FileSystemError.exposed) { try PosixFileSystem().makeDirectory(folder.path + "/a") }
    }

    @Test("A new file does not follow a link, and nothing is written to it after it is closed")
    func newFile() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/link", withDestinationPath: folder.path + "/target")
        #expect(throws: FileSystemError.present) { _ = try PosixFileSystem().makeFile(folder.path + "/link") }
        let file = try PosixFileSystem().makeFile(folder.path + "/file")
        #expect(try file.write([1, 2]) == 2)
        try file.close()
        #expect(throws: FileSystemError.failed(code: EBADF)) { try file.write([3]) }
        #expect(throws: FileSystemError.failed(code: EBADF)) { try file.synchronize() }
        #expect(try folder.bytes(of: "file") == [1, 2])
    }

    @Test("The ends of a file are read without the rest, and a short one gives what it has")
    func ends() throws {
        let folder = try TemporaryFolder()
        let bytes = (0..<1_000).map { UInt8(truncatingIfNeeded: $0) }
        try PosixFileSystem().create(folder.path + "/file", holding: bytes)
        #expect(
            try PosixFileSystem().readEnds(folder.path + "/file", first: 3, last: 2)
                == FileEnds(byteCount: 1_000, first: [0, 1, 2], last: Array(bytes.suffix(2))))
        try PosixFileSystem().create(folder.path + "/short", holding: [7])
        #expect(
            try PosixFileSystem().readEnds(folder.path + "/short", first: 3, last: 2)
                == FileEnds(byteCount: 1, first: [7], last: [7]))
        #expect(throws: FileSystemError.absent) {
            try PosixFileSystem().readEnds(folder.path + "/none", first: 1, last: 1)
        }
        try folder.setPermissions(0o644, of: "short")
        #expect(throws: FileSystemError.exposed) {
            try PosixFileSystem().readEnds(folder.path + "/short", first: 1, last: 1)
        }
    }

    @Test("A file of more than one chunk is read whole")
    func largeFile() throws {
        let folder = try TemporaryFolder()
        let bytes = (0..<1_000_001).map { UInt8(truncatingIfNeeded: $0 / 251) }
        try PosixFileSystem().create(folder.path + "/file", holding: bytes)
        #expect(try PosixFileSystem().read(folder.path + "/file", atMost: bytes.count) == bytes)
        #expect(throws: FileSystemError.tooLarge(limit: bytes.count - 1)) {
            try PosixFileSystem().read(folder.path + "/file", atMost: bytes.count - 1)
        }
    }
}
