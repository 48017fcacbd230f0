package import Foundation
import Locking

/// Child process whose output goes to files.
package final class ChildProcess: Sendable {
    /// Exit of a child process.
    package struct Ending: Sendable {
        /// Exit code; 128 plus the signal's number when a signal ended the process.
        package let code: Int32
        /// Content of its standard output.
        package let output: String
        /// Content of its standard error.
        package let complaints: String
    }

    private let process = Process()
    private let outputFile: URL
    private let complaintsFile: URL
    private let endings: AsyncStream<Void>

    /// Starts `program`; `folder` receives the files of its output.
    package init(
        _ program: URL, _ arguments: [String], environment: [String: String] = [:], folder: URL, name: String
    ) throws {
        outputFile = folder.appending(path: name + ".out")
        complaintsFile = folder.appending(path: name + ".log")
        process.executableURL = program
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        let (output, complaints) = (try Self.emptyFile(outputFile), try Self.emptyFile(complaintsFile))
        // The child has duplicates; `Process` would keep these open as long as this process lives.
        defer {
            try? output.close()
            try? complaints.close()
        }
        process.standardOutput = output
        process.standardError = complaints
        let (stream, continuation) = AsyncStream<Void>.makeStream()
        endings = stream
        process.terminationHandler = { _ in continuation.finish() }
        try ThreadSignals.unblocked { try process.run() }
    }

    package var identifier: Int32 { process.processIdentifier }
    package var isRunning: Bool { process.isRunning }
    /// Standard output so far.
    package var output: String { Self.text(outputFile) }
    /// Standard error so far.
    package var complaints: String { Self.text(complaintsFile) }

    /// Waits until the process has exited.
    package func ending() async -> Ending {
        for await _ in endings {}
        let isSignal = process.terminationReason == .uncaughtSignal
        return Ending(code: process.terminationStatus + (isSignal ? 128 : 0), output: output, complaints: complaints)
    }

    /// Asks the process to stop.
    package func stop() {
        if process.isRunning { process.terminate() }
    }

    /// Kills the process, without giving it a chance to clean up.
    package func kill() {
        if process.isRunning { ChildProcessSignal.end(process.processIdentifier) }
    }

    private static func emptyFile(_ url: URL) throws -> FileHandle {
        guard FileManager.default.createFile(atPath: url.path(), contents: nil) else {
            throw CommandFailure.local("TemporaryFile", "the file \(url.path()) cannot be written")
        }
        return try FileHandle(forWritingTo: url)
    }

    private static func text(_ url: URL) -> String {
        String(decoding: FileManager.default.contents(atPath: url.path()) ?? Data(), as: UTF8.self)
    }
}

/// Signals to other processes.
package enum ChildProcessSignal {
    /// Kills a process, without giving it a chance to clean up.
    package static func end(_ process: Int32) {
        _ = kill(process, SIGKILL)
    }
}
