import Foundation
import Locking
import TestSupport
import Testing

/// What `script/plots` makes of the runs in `docs/figures`, here and in copies of the page.
@Suite("docs/performance.md says what recorded runs of benchmarks have measured")
struct PerformancePageTests {
    private static let machine = #"{"cores":2,"processor":"A","system":"Debian GNU/Linux 12"}"#
    private static let figure = #"{"name":"guards-start","value":4.25,"unit":"ms","ratio":null,"base":null}"#
    private static let operation = #"{"name":"guards-operation","value":0.5,"unit":"ms","ratio":null,"base":null}"#

    @Test("The page and its pictures are what the records make")
    func upToDate() throws {
        let (status, message) = try Self.run(["--check"])
        #expect(status == 0, "\(message)")
    }

    @Test("A run that is taken stands on the page with its command, day, commit and machine")
    func taken() throws {
        let copy = try PageCopy()
        let (status, message) = try copy.take(
            #"{"figures":[\#(Self.figure),\#(Self.operation)],"machine":\#(Self.machine)}"#)
        #expect(status == 0, "\(message)")
        let page = try copy.page
        #expect(page.contains("| first look at a process | 4.25 |\n| look before an operation | 0.500 |"))
        #expect(page.contains("`script/bench sdk`, 2026-01-02, commit 0123abcd, on A, 2 cores, Debian GNU/Linux 12"))
        #expect(try copy.check() == 0)
    }

    @Test("A row without its figure is left out and named, and a picture without figures is not made")
    func missing() throws {
        let copy = try PageCopy()
        let (status, message) = try copy.take(#"{"figures":[\#(Self.figure)],"machine":\#(Self.machine)}"#)
        #expect(status == 0, "\(message)")
        let page = try copy.page
        #expect(page.contains("| first look at a process | 4.25 |") && !page.contains("| look before an operation |"))
        #expect(page.contains("Not measured yet (guards): look before an operation."))
        #expect(!page.contains("performance-sign-ins.svg"))
    }

    @Test("A page or a record that somebody changed is found, and so is a picture that nothing makes")
    func changed() throws {
        for (path, text) in [
            ("docs/performance.md", "4.25"), ("docs/figures/sdk.json", "4.25"), ("docs/images/performance-no.svg", ""),
        ] {
            let copy = try PageCopy()
            _ = try copy.take(#"{"figures":[\#(Self.figure)],"machine":\#(Self.machine)}"#)
            #expect(try copy.check() == 0)
            try copy.change(path, text, to: "5.25")
            #expect(try copy.check() == 1, "\(path)")
        }
    }

    @Test(
        "What a benchmark does not print is refused, and nothing is recorded",
        arguments: [
            "", "text", #"{"figures":[],"machine":\#(machine)}"#, #"{"figures":[\#(figure)]}"#,
            #"{"figures":[\#(figure),\#(figure)],"machine":\#(machine)}"#,
            #"{"figures":[\#(figure.replacing("4.25", with: "NaN"))],"machine":\#(machine)}"#,
            #"{"figures":[\#(figure)],"machine":\#(machine.replacing("\"A\"", with: "\"/a\""))}"#,
            #"{"figures":[\#(figure)],"machine":\#(machine.replacing("\"cores\"", with: "\"host\":\"a\",\"cores\""))}"#,
        ])
    func refused(output: String) throws {
        let copy = try PageCopy()
        let (status, message) = try copy.take(output)
        #expect(status == 64 && message.hasPrefix("plots: "), "\(message)")
        #expect(try copy.recorded.isEmpty)
    }

    /// Status of the script, and what it said on standard error.
    fileprivate static func run(_ arguments: [String]) throws -> (status: Int32, message: String) {
        let process = Process()
        let errors = Pipe()
        process.executableURL = House.root.appending(path: "script/plots")
        process.arguments = arguments
        process.standardOutput = FileHandle.nullDevice
        process.standardError = errors
        try ThreadSignals.unblocked { try process.run() }
        let message = try errors.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: message, as: UTF8.self))
    }
}

/// Copy of the page in a folder of its own, without any record.
private struct PageCopy {
    private static let pagePath = "docs/performance.md"
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        for path in ["docs/figures", "docs/images"] {
            try FileManager.default.createDirectory(
                atPath: "\(folder.path)/\(path)", withIntermediateDirectories: true)
        }
        try folder.overwrite(Self.pagePath, with: Array(try #require(House.text(of: Self.pagePath)).utf8))
    }

    /// Text of the page.
    var page: String {
        get throws { String(decoding: try folder.bytes(of: Self.pagePath), as: UTF8.self) }
    }

    /// Names of the records.
    var recorded: [String] {
        get throws { try folder.names(in: "docs/figures") }
    }

    /// Takes the output of a benchmark of the SDK; status and message of the script.
    func take(_ output: String) throws -> (status: Int32, message: String) {
        try folder.overwrite("output", with: Array(output.utf8))
        return try PerformancePageTests.run([
            "--root", folder.path, "--take", "sdk", folder.path + "/output", "--commit", "0123abcd", "--date",
            "2026-01-02",
        ])
    }

    /// Status of the comparison.
    func check() throws -> Int32 { try PerformancePageTests.run(["--root", folder.path, "--check"]).status }

    /// Puts another text in the place of one; into an empty file where there is none.
    func change(_ path: String, _ text: String, to other: String) throws {
        let bytes = text.isEmpty ? [] : try folder.bytes(of: path)
        let changed = String(decoding: bytes, as: UTF8.self).replacing(text, with: other)
        try folder.overwrite(path, with: Array(changed.utf8))
    }
}
