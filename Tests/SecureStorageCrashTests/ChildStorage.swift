import Foundation
import Locking
import TestSupport

/// Another process that works on a storage, until it is done or killed.
final class ChildStorage {
    private let process = Process()
    private let output = Pipe()
    private var text: [UInt8] = []

    /// Starts the program that lies beside the tests.
    convenience init(_ arguments: String...) throws {
        try self.init(Self.program, arguments)
    }

    /// Runs a line of the shell with mounts of its own; `$CHILD` is the program.
    convenience init(shell line: String) throws {
        try self.init(
            URL(filePath: "/usr/bin/env"), ["CHILD=" + Self.program.path(), "unshare", "--mount", "sh", "-ec", line])
    }

    private init(_ program: URL, _ arguments: [String]) throws {
        process.executableURL = program
        process.arguments = arguments
        process.standardOutput = output
        try ThreadSignals.unblocked { try process.run() }
        // Else the end of the output would never be seen.
        try? output.fileHandleForWriting.close()
    }

    deinit {
        // A test that failed must not leave it behind.
        if process.isRunning { Foundation.kill(process.processIdentifier, SIGKILL) }
    }

    /// Waits for the first thing it says.
    func waitForWord() {
        guard !text.contains(UInt8(ascii: "\n")) else { return }
        text += [UInt8](output.fileHandleForReading.availableData)
    }

    /// Kills it as a crash would; returns every number that it said.
    func kill() throws -> [Int] {
        Foundation.kill(process.processIdentifier, SIGKILL)
        return try numbers()
    }

    /// Waits until it ends by itself; returns every number that it said.
    func numbers() throws -> [Int] {
        text += [UInt8](try output.fileHandleForReading.readToEnd() ?? Data())
        process.waitUntilExit()
        // A line without its end was not said.
        return text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast().compactMap {
            Int(String(decoding: $0, as: UTF8.self))
        }
    }

    /// Whether it ended by itself and well.
    var isSuccess: Bool { process.terminationReason == .exit && process.terminationStatus == 0 }

    /// Whether this user may mount a disk that no other process sees.
    static let canMount: Bool = {
        guard geteuid() == 0, let probe = try? ChildStorage(shell: "mount -t tmpfs tmpfs /mnt; echo 1") else {
            return false
        }
        return (try? probe.numbers()) == [1]
    }()

    private static var program: URL { folder.appending(path: "StorageCrashChild") }

    /// Programs lie beside the bundle of tests.
    private static var folder: URL {
        let arguments = ProcessInfo.processInfo.arguments
        let bundle = arguments.firstIndex(of: "--test-bundle-path").map { URL(filePath: arguments[$0 + 1]) }
        return (bundle ?? URL(filePath: arguments[0]).resolvingSymlinksInPath()).deletingLastPathComponent()
    }
}
