import HardwareKeys

/// File under construction on a ``RecordingFileSystem``.
final class RecordedNewFile: NewFile {
    private let file: Int
    private let disk: RecordingFileSystem

    init(_ file: Int, on disk: RecordingFileSystem) {
        self.file = file
        self.disk = disk
    }

    func write(_ bytes: ArraySlice<UInt8>) -> Int {
        disk.append(bytes, to: file)
        return bytes.count
    }

    func synchronize() {
        disk.synchronize(file)
    }

    func close() {}
}
