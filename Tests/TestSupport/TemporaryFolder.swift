import Foundation

/// A private folder of its own for one test, removed with the value.
package final class TemporaryFolder: Sendable {
    /// The absolute path.
    package let path: String

    /// Makes the folder.
    package init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "signet-" + UUID().uuidString).path()
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The bytes of a file in the folder.
    package func bytes(of name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: path + "/" + name)))
    }

    /// Overwrites a file in the folder, keeping its mode.
    package func overwrite(_ name: String, with bytes: [UInt8]) throws {
        try Data(bytes).write(to: URL(filePath: path + "/" + name), options: [])
    }

    /// The names of the files in a folder inside, sorted.
    package func names(in folder: String = "") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path + "/" + folder).sorted()
    }

    /// The access rights of a file or folder inside.
    package func permissions(of name: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path + "/" + name)
        return (attributes[.posixPermissions] as? NSNumber)?.intValue ?? -1
    }

    /// Changes the access rights of a file or folder inside.
    package func setPermissions(_ permissions: Int, of name: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: path + "/" + name)
    }
}
