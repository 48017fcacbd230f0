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
    @discardableResult
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

    @Test("N-M1: a damaged entry is named, costs no other, and is given up when told so")
    func repair() throws {
        let soft = ["--keys", "software"]
        for name in ["a", "b"] {
            try run(name == "a" ? "create" : "list", soft)
            #expect(try run("put", soft + ["--entry", name], input: "value of \(name)\n").status == 0)
        }
        #expect(try run("repair", soft).text == "No entry is damaged.")
        let file = scratch.url.appending(path: "storages/accounts.sst")
        let whole = try Data(contentsOf: file)
        // Some octet from the end on is in the value of the last entry.
        for offset in stride(from: whole.count - 1, to: 0, by: -16) {
            var bytes = whole
            bytes[offset] ^= 1
            try bytes.write(to: file)
            if try run("get", soft + ["--entry", "b"]).status != 0 { break }
        }
        let refused = try run("get", soft + ["--entry", "b", "--format", "json"])
        #expect(refused.status == 2 && refused.text.contains(#""code":"EntryDamaged""#))
        #expect(try run("get", soft + ["--entry", "a"]).text == "value of a")
        let found = try run("repair", soft)
        #expect(found.status == 0 && found.text.hasPrefix("Damaged: b."))
        #expect(try run("list", soft).text == "a\nb")
        #expect(try run("repair", soft + ["--give-up"]).text == "Given up: b.")
        #expect(try run("list", soft).text == "a")
        #expect(try run("repair", soft).text == "No entry is damaged.")
        #expect(try run("put", soft + ["--entry", "b"], input: "again\n").status == 0)
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
