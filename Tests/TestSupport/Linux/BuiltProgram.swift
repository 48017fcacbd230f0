import Foundation
import Locking

/// Program of this package beside the tests, run once with an environment and an input.
package struct BuiltProgram: Sendable {
    /// Standard output, standard error and exit of the program.
    package struct Ending: Sendable {
        package let output: String
        package let complaints: String
        package let status: Int32
    }

    private let location: URL

    /// Absolute path of the program.
    package var path: String { location.path() }

    /// Program with a name.
    package init(_ name: String) {
        let arguments = ProcessInfo.processInfo.arguments
        let bundle = arguments.firstIndex(of: "--test-bundle-path").map { URL(filePath: arguments[$0 + 1]) }
        let tests = bundle ?? URL(filePath: arguments[0]).resolvingSymlinksInPath()
        location = tests.deletingLastPathComponent().appending(path: name)
    }

    /// Runs the program until it exits.
    package func run(
        _ arguments: [String], environment: [String: String], input: [UInt8] = []
    ) throws -> Ending {
        let process = Process()
        process.executableURL = location
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let (asked, said, complained) = (Pipe(), Pipe(), Pipe())
        process.standardInput = asked
        process.standardOutput = said
        process.standardError = complained
        try ThreadSignals.unblocked { try process.run() }
        try asked.fileHandleForWriting.write(contentsOf: Data(input))
        try asked.fileHandleForWriting.close()
        try? said.fileHandleForWriting.close()
        try? complained.fileHandleForWriting.close()
        // Read one after the other, because the standard error of such a program fits into the pipe.
        let output = try said.fileHandleForReading.readToEnd() ?? Data()
        let complaints = try complained.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return Ending(
            output: String(decoding: output, as: UTF8.self), complaints: String(decoding: complaints, as: UTF8.self),
            status: process.terminationStatus)
    }
}
