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

    func openFile(_ path: String) throws(FileSystemError) -> any ReadableFile {
        dieIfDue()
        return try sound.openFile(path)
    }

    func appendFile(_ path: String) throws(FileSystemError) -> any NewFile {
        dieIfDue()
        return MortalFile(try sound.appendFile(path)) { [weak self] in self?.dieIfDue() }
    }

    func names(in directory: String) throws(FileSystemError) -> [String] {
        dieIfDue()
        return try sound.names(in: directory)
    }

    func makeFile(_ path: String) throws(FileSystemError) -> any NewFile {
        dieIfDue()
        return MortalFile(try sound.makeFile(path)) { [weak self] in self?.dieIfDue() }
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

/// File under construction whose every call may be the one before which the process dies.
private final class MortalFile: NewFile {
    private let sound: any NewFile
    private let dieIfDue: () -> Void

    init(_ sound: any NewFile, dyingWith dieIfDue: @escaping () -> Void) {
        self.sound = sound
        self.dieIfDue = dieIfDue
    }

    func write(_ bytes: ArraySlice<UInt8>) throws(FileSystemError) -> Int {
        dieIfDue()
        return try sound.write(bytes)
    }

    func synchronize() throws(FileSystemError) {
        dieIfDue()
        try sound.synchronize()
    }

    func close() throws(FileSystemError) {
        try sound.close()
    }
}
