import CommandSupport
import FoundationEssentials
package import ServerConfiguration
package import StrictYAML

/// Sources of the configuration of this process: the file, the environment and the command line.
package struct ConfigurationFile: Sendable {
    /// Path of the file as given by the operator; nil for the defaults alone.
    package let path: String?
    private let folder: String
    private let environment: [String: String]

    /// Sources with a file and a `dataDirectory`, which overrides the configured one.
    package init(path: String?, dataDirectory: String?) {
        let here = FileManager.default.currentDirectoryPath
        var environment = ProcessInfo.processInfo.environment
        if let dataDirectory {
            environment["SIGNET_SERVER_DATA_DIRECTORY"] = Self.absolute(dataDirectory, from: here)
        }
        self.path = path
        self.environment = environment
        folder =
            path.map { Self.absolute($0, from: here) }.map { path in
                String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
            } ?? here
    }

    package func deployment(reading files: any FileReading = PosixFiles()) throws -> Deployment {
        var text = ""
        if let path {
            guard FileManager.default.fileExists(atPath: path) else {
                throw CommandFailure.local("fileUnusable", "the configuration file \(path) does not exist (--config)")
            }
            guard let bytes = files.contents(of: path), let read = String(validating: bytes, as: UTF8.self) else {
                throw CommandFailure.local(
                    "fileUnusable", "the configuration file \(path) cannot be read as text in UTF-8 (--config)")
            }
            text = read
        }
        return try ConfigurationReader.read(
            ConfigurationSource(fileName: path, text: text, folder: folder, environment: environment, files: files))
    }

    private static func absolute(_ path: String, from folder: String) -> String {
        path.hasPrefix("/") ? path : folder + "/" + path
    }
}
