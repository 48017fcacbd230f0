import CommandSupport
import DeviceCommands
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
            programs.phone, ["try", "--no-open"] + arguments, environment: environment, folder: scratch.url,
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

    @Test("A port that is taken is named, and the trial ends")
    func takenPort() async throws {
        let first = try start(["--shop-port", "20401", "--phone-port", "20402"])
        let clock = ContinuousClock()
        let end = clock.now + .seconds(60)
        while !first.output.contains("The shop:"), clock.now < end { try await Task.sleep(for: .milliseconds(100)) }
        let second = try await start(["--shop-port", "20403", "--phone-port", "20402"]).ending()
        #expect(second.code == 2)
        #expect(second.complaints.contains("20402"))
        first.stop()
        _ = await first.ending()
    }
}
