import Foundation

/// Octets of files and disks.
enum FileOctets {
    /// Octets of a file; 0 for one that is not there.
    static func size(of file: URL) throws -> Int {
        guard FileManager.default.fileExists(atPath: file.path()) else { return 0 }
        let size = try FileManager.default.attributesOfItem(atPath: file.path())[.size] as? NSNumber
        return size?.intValue ?? 0
    }

    /// Octets that may still be written to the disk of a folder.
    static func free(in folder: URL) throws -> Int {
        let size = try FileManager.default.attributesOfFileSystem(forPath: folder.path())[.systemFreeSize] as? NSNumber
        return size?.intValue ?? 0
    }

    /// Whole mebibytes, rounded.
    static func mebibytes(_ octets: Int) -> Int { Int((Double(octets) / 1_048_576).rounded()) }
}
