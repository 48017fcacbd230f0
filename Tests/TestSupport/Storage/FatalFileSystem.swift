import Foundation
import HardwareKeys
import Locking

/// File system of a process that kills itself before one numbered call.
///
/// In contrast to a ``FaultyFileSystem`` nothing runs afterwards: no cleanup, no further command to a TPM.
final class FatalFileSystem: FileSystem {
    private let sound = PosixFileSystem()
    private let callsLeft = Lock(Int.max)

    /// Sets the call before which the process dies, counted from 0 and from now.
    func arm(at call: Int) {
        callsLeft.withLock { $0 = call }
    }

    func makeDirectory(_ path: String) throws(FileSystemError) {
        dieIfDue()
        try sound.makeDirectory(path)
    }

    func read(_ path: String, atMost limit: Int) throws(FileSystemError) -> [UInt8] {
        dieIfDue()
        return try sound.read(path, atMost: limit)
    }

    func names(in directory: String) throws(FileSystemError) -> [String] {
        dieIfDue()
        return try sound.names(in: directory)
    }

    func makeFile(_ path: String) throws(FileSystemError) -> any NewFile {
        dieIfDue()
        return try sound.makeFile(path)
    }

    func rename(_ path: String, to newPath: String) throws(FileSystemError) {
        dieIfDue()
        try sound.rename(path, to: newPath)
    }

    func remove(_ path: String) throws(FileSystemError) {
        dieIfDue()
        try sound.remove(path)
    }

    func synchronizeDirectory(_ path: String) throws(FileSystemError) {
        dieIfDue()
        try sound.synchronizeDirectory(path)
    }

    func tryLock(_ path: String) throws(FileSystemError) -> FileLock? {
        dieIfDue()
        return try sound.tryLock(path)
    }

    private func dieIfDue() {
        let isDue = callsLeft.withLock { left in
            left -= 1
            return left < 0
        }
        if isDue { kill(getpid(), SIGKILL) }
    }
}
