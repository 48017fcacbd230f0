package import Foundation

/// A folder that exists for one story or test and goes with it.
package final class TemporaryFolder: Sendable {
    /// Where it is.
    package let url: URL

    /// Makes a folder that only its owner may enter.
    package init(named prefix: String) throws {
        url = FileManager.default.temporaryDirectory.appending(
            path: "\(prefix)-\(UUID().uuidString.prefix(8))", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(
            at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }
}
