package import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A program that runs beside this one; what it says goes into files.
package final class ChildProcess: Sendable {
    /// How a program ended.
    package struct Ending: Sendable {
        /// The exit code; the signal's number with 128 added when a signal ended it.
        package let code: Int32
        /// What it wrote to standard output.
        package let output: String
        /// What it wrote to standard error.
        package let complaints: String
    }

    private let process = Process()
    private let outputFile: URL
    private let complaintsFile: URL
    private let endings: AsyncStream<Void>

    /// Starts `program`; `folder` takes the files of what it says.
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
        // The child has its own; these would stay open as long as this process lives, because `Process` keeps them.
        defer {
            try? output.close()
            try? complaints.close()
        }
        process.standardOutput = output
        process.standardError = complaints
        let (stream, continuation) = AsyncStream<Void>.makeStream()
        endings = stream
        process.terminationHandler = { _ in continuation.finish() }
        try process.run()
    }

    /// The number of the process.
    package var identifier: Int32 { process.processIdentifier }
    /// Whether it still runs.
    package var isRunning: Bool { process.isRunning }
    /// What it has written to standard output so far.
    package var output: String { Self.text(outputFile) }
    /// What it has written to standard error so far.
    package var complaints: String { Self.text(complaintsFile) }

    /// Waits until the program has ended.
    package func ending() async -> Ending {
        for await _ in endings {}
        let isSignal = process.terminationReason == .uncaughtSignal
        return Ending(code: process.terminationStatus + (isSignal ? 128 : 0), output: output, complaints: complaints)
    }

    /// Asks the program to stop.
    package func stop() {
        if process.isRunning { process.terminate() }
    }

    /// Ends the program at once, without giving it a chance to clean up.
    package func kill() {
        if process.isRunning { Signal.end(process.processIdentifier) }
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
enum Signal {
    /// Ends a process at once, without giving it a chance to clean up.
    static func end(_ process: Int32) {
        _ = kill(process, SIGKILL)
    }
}
