package import Foundation
package import Testing

/// Folder of the third-party test data: `SIGNET_VECTORS`, else `../shared/vectors` beside the package.
///
/// The data is never part of the repository. A suite that needs it has the trait `.enabled(if:
/// VectorFolder.isPresent)`: without the folder it is skipped, but where the folder is demanded it runs and fails.
package enum VectorFolder {
    /// Message of every test that is skipped because the folder is absent.
    package static let absence: Comment =
        "test vectors are absent: put them beside the clone as ../shared/vectors or name their folder in SIGNET_VECTORS"

    /// Location of the folder.
    package static var location: URL {
        if let named = ProcessInfo.processInfo.environment["SIGNET_VECTORS"] {
            return URL(filePath: named, directoryHint: .isDirectory)
        }
        return URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../shared/vectors")
            .standardizedFileURL
    }

    /// Whether the suites run: the folder exists, or is demanded (`CI=true`, or `SIGNET_VECTORS` names one).
    package static var isPresent: Bool {
        isDemanded(ProcessInfo.processInfo.environment) || FileManager.default.fileExists(atPath: location.path())
    }

    /// Whether an absent folder is a failure.
    package static func isDemanded(_ environment: [String: String]) -> Bool {
        environment["CI"] == "true" || environment["SIGNET_VECTORS"] != nil
    }

    /// Content of a file, named by its path inside the folder.
    package static func bytes(of path: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: location.appending(path: path)))
    }

    /// Sorted names of the files in a subfolder with this prefix and suffix.
    package static func files(in folder: String, prefix: String = "", suffix: String = ".json") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: location.appending(path: folder).path())
            .filter { $0.hasPrefix(prefix) && $0.hasSuffix(suffix) }
            .sorted()
    }
}
