package import Foundation

/// Folder for one demonstration or test, deleted with the value.
package final class TemporaryFolder: Sendable {
    package let url: URL

    /// Place for a folder that does not exist yet, among the temporary files, whose name begins with `prefix`.
    package static func location(named prefix: String) -> URL {
        FileManager.default.temporaryDirectory.appending(
            path: "\(prefix)-\(UUID().uuidString.prefix(8))", directoryHint: .isDirectory)
    }

    /// Creates a folder that only its owner may enter.
    package convenience init(named prefix: String) throws {
        try self.init(at: Self.location(named: prefix))
    }

    /// Creates a folder that only its owner may enter, where there is none.
    package init(at url: URL) throws {
        self.url = url
        let parent = url.deletingLastPathComponent().path()
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: parent, isDirectory: &isFolder), isFolder.boolValue else {
            throw CommandFailure.local(
                "TemporaryFolder", "\(parent) is not a folder: set TMPDIR to an existing folder for temporary files")
        }
        do {
            try FileManager.default.createDirectory(
                at: url, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        } catch {
            throw CommandFailure.local(
                "TemporaryFolder",
                "\(parent) is not writable or is full: set TMPDIR to another folder for temporary files, or free space there"
            )
        }
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }
}
