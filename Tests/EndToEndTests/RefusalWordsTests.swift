import CommandSupport
import DemoCommands
import DeviceCommands
import Foundation
import Testing

@Suite("What a person reads when something stands in the way", .serialized)
struct RefusalWordsTests {
    @Test("O-M7: a folder for temporary files that cannot be used is named, with the variable that says where it is")
    func temporaryFolder() async throws {
        let installation = try Installation()
        let demo = try ChildProcess(
            installation.programs.phone, ["demo", "--format", "json"],
            environment: ["TMPDIR": "/nonexistent/folder"], folder: installation.scratch.url, name: "demo")
        let outcome = try CommandOutcome(await demo.ending())
        #expect(outcome.code == 2 && outcome.error == "TemporaryFolder")
        #expect(outcome.message.contains("TMPDIR") && outcome.message.contains("/nonexistent/folder"))
    }

    @Test("O-M7: a wrong password is told as such, and too many of them with the time to wait")
    func throttledLogin() async throws {
        let installation = try Installation()
        let server = try await installation.server.start()
        defer { server.kill() }
        try await installation.server.addUser("anna", password: Installation.password)
        let phone = try await installation.phone("phone")
        let wrong = installation.scratch.url.appending(path: "wrong-password")
        try PrivateFile(path: wrong.path()).write("wrong")
        let order = installation.authentication(of: "anna") + ["--password-file", wrong.path()]
        let first = try await phone.run("register", order)
        #expect(first.error == "LoginRefused" && first.message.contains("the password is wrong"), "\(first.message)")
        var last = first
        for _ in 0..<30 where last.error == "LoginRefused" { last = try await phone.run("register", order) }
        #expect(last.error == "LoginThrottled" && last.code == 1, "\(last.message)")
        #expect(last.message.contains("try again in"))
    }
}
