package import Foundation

/// Programs that a benchmark starts as processes.
package enum ServerProgram {
    /// Path of the server in the environment variable `SIGNET_SERVER`, which `script/bench` sets; nil when there is none.
    package static var url: URL? { program(in: "SIGNET_SERVER") }

    /// The same of the push service, in `SIGNET_PUSH_SINK`.
    package static var pushSink: URL? { program(in: "SIGNET_PUSH_SINK") }

    private static func program(in variable: String) -> URL? {
        guard let path = ProcessInfo.processInfo.environment[variable],
            FileManager.default.isExecutableFile(atPath: path)
        else { return nil }
        return URL(filePath: path)
    }
}
