import HardwareKeys

/// Open file on a ``FaultyFileSystem``.
final class FaultyReadableFile: ReadableFile {
    private let sound: any ReadableFile
    private let disk: FaultyFileSystem

    init(_ sound: any ReadableFile, on disk: FaultyFileSystem) {
        self.sound = sound
        self.disk = disk
    }

    var byteCount: Int { sound.byteCount }

    func read(count: Int, at offset: Int) throws(FileSystemError) -> [UInt8] {
        try disk.performReading("readPart") { () throws(FileSystemError) in
            try sound.read(count: count, at: offset)
        }
    }
}
