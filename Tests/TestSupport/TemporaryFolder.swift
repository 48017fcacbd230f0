import Foundation

/// Private folder for one test, removed with the value.
package final class TemporaryFolder: Sendable {
    /// Absolute path of the folder.
    package let path: String

    /// Creates the folder.
    package init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "signet-" + UUID().uuidString).path()
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Content of a file in the folder.
    package func bytes(of name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: path + "/" + name)))
    }

    /// Overwrites a file in the folder, and keeps its mode.
    package func overwrite(_ name: String, with bytes: [UInt8]) throws {
        try Data(bytes).write(to: URL(filePath: path + "/" + name), options: [])
    }

    /// Sorted names of the files in a subfolder, by default in the folder itself.
    package func names(in folder: String = "") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path + "/" + folder).sorted()
    }

    /// Mode of a file or folder inside.
    package func permissions(of name: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path + "/" + name)
        return (attributes[.posixPermissions] as? NSNumber)?.intValue ?? -1
    }

    /// Changes the mode of a file or folder inside.
    package func setPermissions(_ permissions: Int, of name: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: path + "/" + name)
    }
}
