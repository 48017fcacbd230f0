import CommandSupport
import Foundation

/// ``FloorServer`` as a process.
final class FloorProcess: MeasuredServer {
    private static let patience = 500

    let port: Int
    let authorityFile: String
    private let process: ChildProcess

    /// Starts the process with the certificate of `server` and waits until it responds.
    init(beside server: BenchmarkServer) async throws {
        authorityFile = server.authorityFile
        let certificates = URL(filePath: authorityFile).deletingLastPathComponent()
        let process = try ChildProcess(
            URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath(),
            [FloorServer.argument, certificates.path()], folder: server.folder, name: "floor")
        self.process = process
        port = try await Self.port(of: process)
    }

    deinit { process.kill() }

    var time: ProcessTime { get throws { try ProcessTime(ofProcess: process.identifier) } }

    private static func port(of process: ChildProcess) async throws -> Int {
        for _ in 0..<patience {
            let output = process.output
            if output.hasSuffix("\n"), let port = Int(output.dropLast()) { return port }
            guard process.isRunning else { break }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw BenchmarkFailure.serverEnded(process.complaints)
    }
}
