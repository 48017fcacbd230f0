import Foundation
import SignetCommands
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("A server whose clock jumps")
struct ClockJumpTests {
    #if arch(arm64)
        private static let library = "/usr/lib/aarch64-linux-gnu/faketime/libfaketimeMT.so.1"
    #else
        private static let library = "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1"
    #endif

    private let installation: Installation

    init() throws {
        installation = try Installation()
    }

    private var stepFile: URL { installation.scratch.url.appending(path: "clock") }

    /// Moves the time of day of the server, and of nobody else; the monotonic clock stays as it is.
    private func moveClock(by seconds: Int) throws {
        try Data("\(seconds < 0 ? "" : "+")\(seconds)".utf8).write(to: stepFile, options: .atomic)
    }

    private func start() async throws -> ChildProcess {
        try await installation.server.start(environment: [
            "LD_PRELOAD": Self.library, "FAKETIME_TIMESTAMP_FILE": stepFile.path(), "FAKETIME_NO_CACHE": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1", "FAKETIME_DONT_RESET": "1",
        ])
    }

    private func health() async throws -> String {
        let address = try #require(
            URL(string: "http://127.0.0.1:\(installation.server.managementPort)/nevisfido/health"))
        return String(decoding: try await URLSession.shared.data(from: address).0, as: UTF8.self)
    }

    @Test(
        "S-H5, O-M10: phones register and sign in before, during and after a step of the clock, and after restarts",
        arguments: [3_600, 86_400, -7_200])
    func jump(seconds: Int) async throws {
        try #require(FileManager.default.fileExists(atPath: Self.library), "script/bootstrap installs libfaketime")
        try moveClock(by: 0)
        var server = try await start()
        defer { server.kill() }
        let (phone, registration) = try await installation.registered("anna")
        #expect(registration.isDone, "\(registration.message)")
        try await expectSignIn(phone, "before")
        try moveClock(by: seconds)
        try await expectSignIn(phone, "at once")
        #expect(try await health().contains("the clock of the machine jumped by"))
        let (second, late) = try await installation.registered("bert")
        #expect(late.isDone, "\(late.message)")
        #expect(try await installation.authenticate(second, "bert").isDone)
        server.kill()
        _ = await server.ending()
        server = try await start()
        try await expectSignIn(phone, "after a restart with the clock still wrong")
        try moveClock(by: 0)
        try await expectSignIn(phone, "right again")
        server.kill()
        _ = await server.ending()
        server = try await start()
        try await expectSignIn(phone, "after a restart with the clock right again")
    }

    private func expectSignIn(_ phone: PhoneProcess, _ when: Comment) async throws {
        let outcome = try await installation.authenticate(phone, "anna")
        #expect(outcome.isDone, "\(when): \(outcome.message)")
    }

    @Test("O-H4: a second server of the same name is refused; one that takes over gets its place")
    func lease() async throws {
        let first = try await installation.server.start()
        defer { first.kill() }
        let refused = try ChildProcess(
            installation.programs.server,
            ["serve", "--port", "0", "--management-port", "0", "--data-directory", dataFolder, "--format", "json"],
            environment: ["SIGNET_SERVER_INSTANCE_NAME": "local"], folder: installation.scratch.url, name: "second")
        let ending = await refused.ending()
        #expect(ending.code == 2 && ending.output.contains("instanceInUse"))
        let successor = try await installation.server.start(["--take-over"])
        defer { successor.kill() }
        #expect(await first.ending().code == 0)
        #expect(successor.isRunning)
    }

    private var dataFolder: String { installation.server.databaseFile.deletingLastPathComponent().path() }
}
