#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The folder that recorded exchanges go to; its files are for their owner only.
struct RecordingFolder: Sendable {
    private let path: String

    init(path: String) {
        self.path = path
    }

    func write(_ octets: [UInt8], number: Int, name: String) {
        let files = FileManager.default
        try? files.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let digits = String(number)
        let padded = String(repeating: "0", count: max(0, 3 - digits.count)) + digits
        _ = files.createFile(
            atPath: path + "/" + padded + "-" + name, contents: Data(octets), attributes: [.posixPermissions: 0o600])
    }
}
