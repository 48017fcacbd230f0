import Foundation
import HardwareKeys
import TestSupport
import Testing

@Suite("STO-8: a lock keeps everybody else out, and ends with its holder")
struct FileLockTests {
    @Test("It keeps out the next taker until it is released")
    func release() async throws {
        let folder = try TemporaryFolder()
        let disk = PosixFileSystem()
        let path = folder.path + "/lock"
        let first = try await disk.lock(path)
        let second = Task { try await disk.lock(path) }
        first.release()
        first.release()
        try await second.value.release()
        _ = try await disk.lock(path)
        try await disk.lock(path).release()
    }

    @Test("A handle that is closed elsewhere in the process does not end it")
    func closedElsewhere() async throws {
        let folder = try TemporaryFolder()
        let disk = PosixFileSystem()
        let path = folder.path + "/lock"
        let lock = try await disk.lock(path)
        // A lock of the older kind would be gone now.
        _ = try disk.read(path, atMost: 1)
        #expect(try Self.isLocked(path))
        lock.release()
        #expect(try !Self.isLocked(path))
    }

    @Test("Threads that add to one number under the lock lose nothing")
    func threads() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/lock"
        let file = AtomicFile(named: "count", in: folder.path, of: PosixFileSystem())
        try file.replace(with: [0])
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<25 {
                        let lock = try await PosixFileSystem().lock(path)
                        try file.replace(with: [file.read(atMost: 1)[0] + 1])
                        lock.release()
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try file.read(atMost: 1) == [100])
    }

    @Test("A lock file that was removed while a process waited does not let two in")
    func removedFile() async throws {
        let folder = try TemporaryFolder()
        let disk = PosixFileSystem()
        let path = folder.path + "/lock"
        let first = try await disk.lock(path)
        let second = Task { try await disk.lock(path) }
        try disk.remove(path)
        first.release()
        let held = try await second.value
        #expect(try Self.isLocked(path))
        held.release()
    }

    /// Whether another process finds the lock taken.
    private static func isLocked(_ path: String) throws -> Bool {
        var region = flock()
        region.l_type = Int16(F_WRLCK)
        let descriptor = open(path, O_RDWR)
        defer { close(descriptor) }
        // F_OFD_GETLK of Linux.
        #expect(fcntl(descriptor, 36, &region) == 0)
        return region.l_type != Int16(F_UNLCK)
    }
}
