package import Foundation

/// Program of the server that a benchmark starts as a process.
package enum ServerProgram {
    /// Path in the environment variable `SIGNET_SERVER`, which `script/bench` sets; nil when there is none.
    package static var url: URL? {
        guard let path = ProcessInfo.processInfo.environment["SIGNET_SERVER"],
            FileManager.default.isExecutableFile(atPath: path)
        else { return nil }
        return URL(filePath: path)
    }
}
