import Foundation
import Locking
import Testing

@Suite("The releases from which script/upgrade upgrades")
struct ReleaseTests {
    private static let releases = "packaging/releases"
    private static let versionFile = "Sources/Commands/CommandSupport/Report/Program.swift"

    @Test("Each is a version and the hash of a commit, and no version comes twice")
    func lines() throws {
        let lines = try Self.lines
        for line in lines { #expect(line.count == 2 && line[1].wholeMatch(of: /[0-9a-f]{40}/) != nil, "\(line)") }
        #expect(Set(lines.map { $0[0] }).count == lines.count)
    }

    @Test(
        "The commit of the last one is in this history, and its programs have that version",
        .enabled(if: Self.hasHistory, "this is no clone, or a shallow one"))
    func lastRelease() throws {
        guard let last = try Self.lines.last else { return }
        #expect(try Self.git("merge-base", "--is-ancestor", last[1], "HEAD") != nil, "\(last)")
        let program = try #require(try Self.git("show", "\(last[1]):\(Self.versionFile)"), "\(last)")
        #expect(program.contains("static let version = \"\(last[0])\"\n"), "\(last)")
    }

    private static var lines: [[String]] {
        get throws {
            let text = try #require(Repository.text(of: releases))
            return text.split(separator: "\n").filter { !$0.hasPrefix("#") }
                .map { $0.split(separator: " ").map(String.init) }
        }
    }

    private static var hasHistory: Bool { (try? git("rev-parse", "--is-shallow-repository")) == "false\n" }

    /// Output of a command of git; nil when it has failed.
    private static func git(_ arguments: String...) throws -> String? {
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["git", "-C", Repository.root.path()] + arguments
        (process.standardOutput, process.standardError) = (output, FileHandle.nullDevice)
        try ThreadSignals.unblocked { try process.run() }
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return process.terminationStatus == 0 ? String(decoding: text, as: UTF8.self) : nil
    }
}
