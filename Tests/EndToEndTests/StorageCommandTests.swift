import CommandSupport
import DemoCommands
import DeviceCommands
import Foundation
import Locking
import Testing

@Suite("signet storage: secure storages on the command line")
struct StorageCommandTests {
    private let scratch: CommandSupport.TemporaryFolder
    private let program: URL

    init() throws {
        scratch = try CommandSupport.TemporaryFolder(named: "signet-storage")
        let arguments = ProcessInfo.processInfo.arguments
        let bundle = arguments.firstIndex(of: "--test-bundle-path").map { URL(filePath: arguments[$0 + 1]) }
        let own = bundle ?? URL(filePath: arguments[0]).resolvingSymlinksInPath()
        program = try Programs.inFolder(own.deletingLastPathComponent()).phone
    }

    /// Runs a command on the storage `accounts`; standard input is `input`.
    private func run(_ command: String, _ arguments: [String], input: String = "") throws -> (
        status: Int32, text: String
    ) {
        let process = Process()
        process.executableURL = program
        process.arguments =
            ["storage", command, "accounts", "--directory", scratch.url.appending(path: "storages").path()] + arguments
        let source = scratch.url.appending(path: "input")
        try Data(input.utf8).write(to: source)
        process.standardInput = try FileHandle(forReadingFrom: source)
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try ThreadSignals.unblocked { try process.run() }
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, text.trimmingCharacters(in: .newlines))
    }

    @Test("A storage is made, filled from standard input, listed, read, looked at, written anew and deleted")
    func story() throws {
        let soft = ["--keys", "software"]
        #expect(try run("create", soft).status == 0)
        #expect(try run("create", soft).status == 2)
        #expect(try run("put", soft + ["--entry", "token"], input: "canary value\n").status == 0)
        #expect(try run("put", soft + ["--entry", "seed", "--bytes"], input: "\u{1}\u{2}").status == 0)
        #expect(try run("list", soft).text == "seed\ntoken")
        #expect(try run("get", soft + ["--entry", "token"]).text == "canary value")
        #expect(try run("get", soft + ["--entry", "seed"]).text == "0102")
        let info = try run("info", ["--format", "json"])
        #expect(info.status == 0 && info.text.contains(#""entryCount":2"#) && !info.text.contains("token"))
        let fingerprint = scratch.url.appending(path: "fingerprint")
        try PrivateFile(path: fingerprint.path()).write("fingerprint")
        #expect(try run("write", soft + ["--new-fingerprint-file", fingerprint.path()]).status == 0)
        let refused = try run("get", soft + ["--entry", "token", "--format", "json"])
        #expect(refused.status == 1 && refused.text.contains(#""code":"FingerprintMismatch""#))
        #expect(
            try run("get", soft + ["--entry", "token", "--fingerprint-file", fingerprint.path()]).text == "canary value"
        )
        #expect(try run("delete", []).status == 0)
        #expect(try run("get", soft + ["--entry", "token"]).status == 2)
    }

    @Test("Nothing protects the key silently, and a chip that is not there is named")
    func keys() throws {
        #expect(try run("create", []).status == 64)
        #expect(try run("create", ["--keys", "software", "--tcti", "swtpm:path=nowhere"]).status == 64)
        let missing = try run(
            "create", ["--keys", "tpm", "--tcti", "swtpm:path=\(scratch.url.path())/nowhere", "--format", "json"])
        #expect(missing.status == 2 && missing.text.contains(#""code":"SecureHardwareUnavailable""#))
    }
}
