import CommandSupport
import DemoCommands
import DeviceCommands
import Foundation
import StrictJSON
import Testing

@Suite("The programs: versions, the form of the log, a login that is off", .serialized)
struct ProgramTests {
    private let installation: Installation

    init() throws {
        installation = try Installation()
    }

    @Test("O-M9: --version of all programs says one and the same version, and nothing else")
    func version() async throws {
        var outputs: [String] = []
        let programs = installation.programs
        for program in [programs.phone, programs.server, try programs.pushSink] {
            let ending = try await ChildProcess(
                program, ["--version"], folder: installation.scratch.url, name: "version-\(program.lastPathComponent)"
            ).ending()
            #expect(ending.code == 0 && ending.complaints.isEmpty)
            outputs.append(ending.output)
        }
        #expect(Set(outputs).count == 1)
        #expect(outputs[0].wholeMatch(of: /[0-9]+\.[0-9]+\.[0-9]+(-[a-z0-9.]+)?\n/) != nil, "\(outputs[0])")
    }

    /// What a server says from its start to its stop when nothing reads its standard error.
    private func log(_ settings: String, _ options: [String] = []) async throws -> [String] {
        try installation.server.configure(settings)
        let server = try await installation.server.start(options)
        defer { server.kill() }
        server.stop()
        let ending = await server.ending()
        #expect(ending.code == 0)
        return ending.complaints.split(separator: "\n").map(String.init)
    }

    private func isJSON(_ line: String) -> Bool { (try? JSONParser.parse(line).asObject()) != nil }

    @Test("O-M9: without a terminal the log is JSON, and log.format: text forces lines for people; no stop is an error")
    func piped() async throws {
        let plain = try await log("")
        #expect(!plain.isEmpty && plain.allSatisfy(isJSON), "\(plain)")
        let forced = try await log("log: { format: text }\n")
        #expect(forced.contains { $0.contains("Signet answers at https://127.0.0.1:") })
        #expect(!forced.contains(where: isJSON))
        let optional = try await log("log: { format: text }\n", ["--format", "json"])
        #expect(!optional.isEmpty && optional.allSatisfy(isJSON), "--format json wins")
        for line in plain + forced { #expect(!line.contains("CancellationError"), "O-M4") }
    }

    @Test(
        "O-M9: in a terminal the log is for people, and log.format: json forces JSON",
        .enabled(if: TerminalSession.isPossible))
    func terminal() async throws {
        let folder = try TrialFolder()
        try folder.save("log: { format: json }\n", as: "json.yml")
        let plain = "signet-server serve --data-directory plain"
        try await folder.open(plain, [.shows("Signet answers at https://127.0.0.1:")])
        #expect(try folder.close(plain) == 0)
        let forced = "signet-server serve --config json.yml --data-directory forced"
        try await folder.open(forced, [.shows("\"message\":\"ready\"")])
        #expect(try folder.close(forced) == 0)
    }

    @Test("O-M9: a password for a login that is off is warned of, and a phone that wants to use it is told what helps")
    func loginOff() async throws {
        let off = ["SIGNET_SERVER_PASSWORD_LOGIN_ENABLED": "false"]
        let server = try await installation.server.start(environment: off)
        defer { server.kill() }
        let password = installation.server.folder.appending(path: "password-of-anna")
        try PrivateFile(path: password.path()).write(Installation.password)
        let added = try await ChildProcess(
            installation.programs.server,
            [
                "users", "add", "anna", "-m", "a test", "--password-file", password.path(), "--config",
                installation.server.folder.appending(path: "server.yml").path(),
            ], environment: off, folder: installation.scratch.url, name: "users-add"
        ).ending()
        #expect(added.code == 0)
        #expect(added.output.contains("warning: password login is off") && added.output.contains("dispatch register"))
        let outcome = try await installation.register(try await installation.phone("phone"), "anna")
        #expect(outcome.code == 1 && outcome.error == "LoginOff")
        #expect(outcome.message.contains("invitation") && outcome.message.contains("password-login.enabled"))
        try await installation.server.addUser("bert", password: Installation.password)
        server.stop()
        _ = await server.ending()
        let open = try await installation.server.start()
        defer { open.kill() }
        #expect(try await installation.register(try await installation.phone("other"), "bert").isDone)
    }
}
