package import Foundation
package import Testing

/// Where the third-party test data lies: `SIGNET_VECTORS`, else `../shared/vectors` beside the package.
///
/// The data is never part of the repository. A suite that needs it carries `.enabled(if: VectorFolder.isPresent)`, and
/// `.ci/run` fails when the folder is absent.
package enum VectorFolder {
    /// Said by every test that is skipped because the folder is absent.
    package static let absence: Comment =
        "test vectors are absent: put them beside the clone as ../shared/vectors or name their folder in SIGNET_VECTORS"

    /// The folder.
    package static var location: URL {
        if let named = ProcessInfo.processInfo.environment["SIGNET_VECTORS"] {
            return URL(filePath: named, directoryHint: .isDirectory)
        }
        return URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../shared/vectors")
            .standardizedFileURL
    }

    /// Whether the folder is there.
    package static var isPresent: Bool {
        FileManager.default.fileExists(atPath: location.path())
    }

    /// The bytes of one file, named by its path inside the folder.
    package static func bytes(of path: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: location.appending(path: path)))
    }

    /// The names of the files in a subfolder that start and end as given, sorted.
    package static func files(in folder: String, prefix: String = "", suffix: String = ".json") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: location.appending(path: folder).path())
            .filter { $0.hasPrefix(prefix) && $0.hasSuffix(suffix) }
            .sorted()
    }
}
