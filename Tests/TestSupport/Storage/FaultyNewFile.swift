import HardwareKeys

/// File under construction on a ``FaultyFileSystem``.
final class FaultyNewFile: NewFile {
    private let sound: any NewFile
    private let disk: FaultyFileSystem

    init(_ sound: any NewFile, on disk: FaultyFileSystem) {
        self.sound = sound
        self.disk = disk
    }

    func write(_ bytes: ArraySlice<UInt8>) throws(FileSystemError) -> Int {
        let share = bytes.prefix(disk.share(of: bytes.count))
        return try disk.perform(
            "write", { () throws(FileSystemError) in try sound.write(share) },
            half: { () throws(FileSystemError) in
                if bytes.count > 1 { _ = try sound.write(bytes.prefix(bytes.count / 2)) }
            })
    }

    func synchronize() throws(FileSystemError) {
        try disk.perform("synchronize", { () throws(FileSystemError) in try sound.synchronize() })
    }

    func close() throws(FileSystemError) {
        try disk.perform("close", { () throws(FileSystemError) in try sound.close() })
    }
}
