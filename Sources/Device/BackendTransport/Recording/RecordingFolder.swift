import HardwareKeys

/// The folder that recorded exchanges go to; its files are for their owner only, from the first byte on.
struct RecordingFolder: Sendable {
    private let path: String
    private let fileSystem = PosixFileSystem(allowsNetwork: true)

    init(path: String) {
        self.path = path
    }

    func write(_ octets: [UInt8], number: Int, name: String) {
        // A folder that is there already may be open to others; the files in it are not.
        try? fileSystem.makeDirectory(path)
        let digits = String(number)
        let padded = String(repeating: "0", count: max(0, 3 - digits.count)) + digits
        try? AtomicFile(named: padded + "-" + name, in: path, of: fileSystem).replace(with: octets)
    }
}
