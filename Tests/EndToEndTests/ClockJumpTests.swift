import CommandSupport
import DemoCommands
import Foundation
import Testing

@Suite("A server whose clock jumps")
struct ClockJumpTests {
    #if arch(arm64)
        private static let library = "/usr/lib/aarch64-linux-gnu/faketime/libfaketimeMT.so.1"
    #else
        private static let library = "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1"
    #endif

    private let installation: Installation

    init() throws {
        installation = try Installation(runningServerBy: Self.launcher)
    }

    private var stepFile: URL { Self.stepFile(in: installation.scratch.url) }
    private static func stepFile(in scratch: URL) -> URL { scratch.appending(path: "clock") }

    private static func processFile(in scratch: URL) -> URL { scratch.appending(path: "processes") }

    /// A script that runs the server, and commands beside it, by a clock that can be moved; by the right one before
    /// it was moved.
    ///
    /// libfaketime sets a variable in the first program it is loaded into. That moves the environment away from the
    /// arguments, and a program in Swift finds its arguments only beside it: `env` takes the first place, and the
    /// server is already its successor.
    private static func launcher(scratch: URL, server: URL) throws -> URL {
        let file = scratch.appending(path: "server-by-clock")
        let script = """
            #!/bin/sh
            [ -e \(stepFile(in: scratch).path()) ] || exec \(server.path()) "$@"
            echo $$ >> \(processFile(in: scratch).path())
            export LD_PRELOAD=\(library) FAKETIME_TIMESTAMP_FILE=\(stepFile(in: scratch).path()) FAKETIME_NO_CACHE=1
            export FAKETIME_DONT_FAKE_MONOTONIC=1 FAKETIME_DONT_RESET=1
            exec /usr/bin/env \(server.path()) "$@"

            """
        try Data(script.utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path())
        return file
    }

    /// Moves the time of day of the machine of the server, and of no phone; the monotonic clock stays as it is.
    private func moveClock(by seconds: Int) throws {
        try Data("\(seconds < 0 ? "" : "+")\(seconds)".utf8).write(to: stepFile, options: .atomic)
    }

    private func kill(_ server: ChildProcess) async {
        server.kill()
        _ = await server.ending()
    }

    /// Removes the shared memory of libfaketime, which killed processes leave behind.
    private func removeSharedMemory() {
        let numbers = (try? String(contentsOf: Self.processFile(in: installation.scratch.url), encoding: .utf8)) ?? ""
        for number in numbers.split(separator: "\n") {
            for name in ["faketime_shm_", "sem.faketime_sem_"] {
                try? FileManager.default.removeItem(atPath: "/dev/shm/\(name)\(number)")
            }
        }
    }

    @Test(
        "S-H5, O-M10: phones register and sign in before, during and after a step of the clock, and after restarts",
        arguments: [3_600, 86_400, -7_200])
    func jump(seconds: Int) async throws {
        try #require(FileManager.default.fileExists(atPath: Self.library), "script/bootstrap installs libfaketime")
        try moveClock(by: 0)
        defer { removeSharedMemory() }
        var server = try await installation.server.start()
        defer { server.kill() }
        let (phone, registration) = try await installation.registered("anna")
        #expect(registration.isDone, "\(registration.message)")
        try await expectSignIn(phone, "before")
        try moveClock(by: seconds)
        try await expectSignIn(phone, "at once")
        #expect(try await installation.server.health().text.contains("the clock of the machine jumped by"))
        let (second, late) = try await installation.registered("bert")
        #expect(late.isDone, "\(late.message)")
        #expect(try await installation.authenticate(second, "bert").isDone)
        await kill(server)
        server = try await installation.server.start()
        try await expectSignIn(phone, "after a restart with the clock still wrong")
        try moveClock(by: 0)
        try await expectSignIn(phone, "right again")
        await kill(server)
        server = try await installation.server.start()
        try await expectSignIn(phone, "after a restart with the clock right again")
        await kill(server)
    }

    private func expectSignIn(_ phone: PhoneProcess, _ when: Comment) async throws {
        let outcome = try await installation.authenticate(phone, "anna")
        #expect(outcome.isDone, "\(when): \(outcome.message)")
    }

    @Test("O-H4: a server that takes over asks the one of the same name to stop, and gets its place")
    func lease() async throws {
        let first = try await installation.server.start()
        defer { first.kill() }
        let successor = try await installation.server.start(["--take-over"])
        defer { successor.kill() }
        #expect(await first.ending().code == 0)
        #expect(successor.isRunning)
    }
}
