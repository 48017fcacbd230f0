import Foundation
import Locking
import Synchronization

/// A program at a terminal of its own, and a person who reads and types there.
final class TerminalSession: Sendable {
    /// The terminal did not show what was expected.
    struct Unexpected: Error, CustomStringConvertible {
        let expected: String
        let shown: String

        var description: String { "no \"\(expected)\" in: \(shown)" }
    }

    /// Ctrl-C.
    static let interruption = "\u{3}"
    /// Ctrl-D.
    static let end = "\u{4}"

    /// `script` of util-linux gives a program a terminal whose other side are pipes.
    private static let opener = URL(filePath: "/usr/bin/script")
    private static let patience = Duration.seconds(600)

    /// Whether there is a way to a terminal here.
    static var isPossible: Bool { FileManager.default.isExecutableFile(atPath: opener.path()) }

    private let process = Process()
    private let keyboard = Pipe()
    private let shown = Mutex("")

    /// Starts a program; no argument may need quotes.
    convenience init(_ program: URL, _ arguments: [String]) throws {
        try self.init(line: ([program.path()] + arguments).joined(separator: " "))
    }

    /// Starts what a person types into a shell, in a folder: one command, in whose place the shell steps back.
    ///
    /// A shell that stayed would end by Ctrl-C too, and its code would hide the one of the command.
    init(line: String, environment: [String: String] = [:], folder: URL? = nil) throws {
        let screen = Pipe()
        process.executableURL = Self.opener
        process.arguments = [
            "--quiet", "--flush", "--return", "--command", "exec \(line)", "/dev/null",
        ]
        let language = ["LC_ALL": "C.UTF-8", "LANGUAGE": "en", "SHELL": "/bin/sh"]
        process.environment = ProcessInfo.processInfo.environment.merging(language) { $1 }.merging(environment) { $1 }
        process.currentDirectoryURL = folder
        process.standardInput = keyboard
        process.standardOutput = screen
        process.standardError = FileHandle.nullDevice
        screen.fileHandleForReading.readabilityHandler = { [weak self] handle in
            let text = String(decoding: handle.availableData, as: UTF8.self)
            self?.shown.withLock { $0 += text }
        }
        try ThreadSignals.unblocked { try process.run() }
    }

    /// Presses keys.
    func type(_ keys: String) throws { try keyboard.fileHandleForWriting.write(contentsOf: Data(keys.utf8)) }

    /// Waits until the terminal shows a text; what stood before its end is not looked at again.
    @discardableResult
    func expect(_ text: String) async throws -> String {
        let clock = ContinuousClock()
        let end = clock.now + Self.patience
        while clock.now < end {
            let before: String? = shown.withLock { shown in
                guard let range = shown.range(of: text) else { return nil }
                defer { shown = String(shown[range.upperBound...]) }
                return String(shown[..<range.upperBound])
            }
            if let before { return before }
            try await Task.sleep(for: .milliseconds(10))
        }
        throw Unexpected(expected: text, shown: shown.withLock { $0 })
    }

    /// Waits for a question and types the answer.
    func answer(_ question: String, _ line: String) async throws {
        try await expect(question)
        try type(line + "\n")
    }

    /// The exit code of the program.
    func ending() -> Int32 {
        process.waitUntilExit()
        return process.terminationStatus
    }
}
