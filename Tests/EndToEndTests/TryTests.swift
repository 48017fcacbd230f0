import CommandSupport
import DemoCommands
import Foundation
import Testing

@Suite("signet try starts everything for a person, and leaves nothing behind", .timeLimit(.minutes(5)))
struct TryTests {
    private let scratch: TemporaryFolder
    private let programs: Programs

    init() throws {
        scratch = try TemporaryFolder(named: "signet-try-test")
        programs = try Installation.builtPrograms()
    }

    private func start(_ arguments: [String] = [], path: String? = nil) throws -> ChildProcess {
        var environment = ["TMPDIR": scratch.url.path()]
        if let path { environment["PATH"] = path }
        return try ChildProcess(
            programs.phone, ["try"] + arguments, environment: environment, folder: scratch.url,
            name: "try-\(UUID().uuidString.prefix(8))")
    }

    /// Folders of trials that are left.
    private func left() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: scratch.url.path()).filter {
            $0.hasPrefix("signet-try-") && !$0.contains(".")
        }
    }

    @Test("Without python3 it says so with exit code 2, and nothing is left")
    func noPython() async throws {
        let ending = try await start(path: scratch.url.path()).ending()
        #expect(ending.code == 2)
        #expect(ending.complaints.contains("python3"))
        #expect(try left().isEmpty)
    }

    @Test("A signal at each stage ends it, and nothing is left", arguments: [0, 200, 1_000, 4_000])
    func interrupted(after milliseconds: Int) async throws {
        let port = 20_000 + milliseconds
        let process = try start(["--shop-port", String(port), "--phone-port", String(port + 1)])
        try await Task.sleep(for: .milliseconds(milliseconds))
        process.stop()
        _ = await process.ending()
        let clock = ContinuousClock()
        let end = clock.now + .seconds(20)
        while try !left().isEmpty, clock.now < end { try await Task.sleep(for: .milliseconds(100)) }
        #expect(try left().isEmpty)
    }

    @Test("Killed, its guardian ends the processes and removes the folder")
    func killed() async throws {
        let process = try start(["--shop-port", "20301", "--phone-port", "20302"])
        let clock = ContinuousClock()
        let end = clock.now + .seconds(60)
        while try left().isEmpty, clock.now < end { try await Task.sleep(for: .milliseconds(20)) }
        process.kill()
        _ = await process.ending()
        while try !left().isEmpty, clock.now < end { try await Task.sleep(for: .milliseconds(100)) }
        #expect(try left().isEmpty)
    }

    @Test(
        "In a folder that is kept it goes on at once: the same ports, a new invitation, and another shop port is told")
    func goesOn() async throws {
        let folder = scratch.url.appending(path: "kept")
        let arguments = ["--folder", folder.path(), "--shop-port", "20501", "--phone-port", "20502"]
        let first = try await started(arguments)
        let (ports, invitation) = (try content(folder, "ports.json"), try content(folder, "invitation"))
        first.stop()
        _ = await first.ending()
        let second = try await started(["--folder", folder.path()])
        #expect(second.output.contains("http://localhost:20501/"))
        #expect(try content(folder, "ports.json") == ports)
        #expect(try content(folder, "invitation") != invitation)
        second.stop()
        _ = await second.ending()
        let third = try await started(["--folder", folder.path(), "--shop-port", "20503"])
        #expect(third.output.contains("http://localhost:20503/"))
        third.stop()
        _ = await third.ending()
    }

    @Test(
        "N-L12: Killed in a folder that is kept, its guardian ends what it has started, and nothing that a file names")
    func numbers() async throws {
        let folder = scratch.url.appending(path: "numbered")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        let stranger = try ChildProcess(URL(filePath: "/bin/sleep"), ["120"], folder: scratch.url, name: "stranger")
        defer { stranger.kill() }
        try Data("\(stranger.identifier)\n".utf8).write(to: folder.appending(path: "processes"))
        let process = try start(["--folder", folder.path(), "--shop-port", "20601", "--phone-port", "20602"])
        let clock = ContinuousClock()
        let end = clock.now + .seconds(60)
        while !process.output.contains("Ctrl-C"), clock.now < end { try await Task.sleep(for: .milliseconds(100)) }
        try FileManager.default.removeItem(at: folder.appending(path: "processes"))
        try Data("\(stranger.identifier)\n".utf8).write(to: folder.appending(path: "processes"))
        process.kill()
        _ = await process.ending()
        // Its port is free again when the guardian has ended the shop.
        while !FreePorts.isFree(20_601), clock.now < end { try await Task.sleep(for: .milliseconds(100)) }
        #expect(FreePorts.isFree(20_601))
        #expect(stranger.isRunning)
    }

    @Test("N-L12: A folder that others may enter is refused, and nothing is started")
    func openFolder() async throws {
        let folder = scratch.url.appending(path: "open")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o777])
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder.path())
        let ending = try await start(["--folder", folder.path()]).ending()
        #expect(ending.code == 2 && ending.complaints.contains("chmod 700"), "\(ending.complaints)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path()).isEmpty)
    }

    private func content(_ folder: URL, _ name: String) throws -> String {
        try String(contentsOf: folder.appending(path: name), encoding: .utf8)
    }

    /// A trial that has told its addresses.
    private func started(_ arguments: [String]) async throws -> ChildProcess {
        let process = try start(arguments)
        let clock = ContinuousClock()
        let end = clock.now + .seconds(60)
        while !process.output.contains("Ctrl-C"), process.isRunning, clock.now < end {
            try await Task.sleep(for: .milliseconds(100))
        }
        try #require(process.output.contains("Ctrl-C"), "\(process.complaints)")
        #expect(process.output.contains("You are anna"))
        return process
    }

    @Test("A port that is taken is named with the option that helps, and the trial ends")
    func takenPort() async throws {
        let first = try start(["--shop-port", "20401", "--phone-port", "20402"])
        let clock = ContinuousClock()
        let end = clock.now + .seconds(60)
        while !first.output.contains("The shop:"), clock.now < end { try await Task.sleep(for: .milliseconds(100)) }
        let second = try await start(["--shop-port", "20401", "--phone-port", "20402"]).ending()
        #expect(second.code == 2)
        #expect(second.complaints.contains("port 20401 of the shop is taken: choose another with --shop-port"))
        first.stop()
        _ = await first.ending()
    }
}
