package import Foundation

/// The server that a benchmark starts as a process of its own.
package enum ServerProgram {
    /// The program that `SIGNET_SERVER` names, which `script/bench` sets; nil when there is none.
    package static var url: URL? {
        guard let path = ProcessInfo.processInfo.environment["SIGNET_SERVER"],
            FileManager.default.isExecutableFile(atPath: path)
        else { return nil }
        return URL(filePath: path)
    }
}
