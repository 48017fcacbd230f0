import CommandSupport
import DemoCommands
import Foundation
import StrictJSON
import Testing

@Suite("A phone and a server, two processes, over TLS", .serialized)
struct StoryTests {
    @Test("The demonstration plays every step as told")
    func demonstration() async throws {
        let installation = try Installation()
        let demo = try ChildProcess(
            installation.programs.phone, ["demo", "--format", "json"], folder: installation.scratch.url, name: "demo")
        let ending = await demo.ending()
        let line = try #require(ending.output.split(separator: "\n").last.map(String.init))
        let answer = try JSONParser.parse(line).asObject()
        #expect(answer["ok"] == .bool(true), "\(line)")
        #expect(ending.code == 0)
        guard case .array(let steps)? = answer["steps"] else { throw Absent() }
        #expect(steps.count >= 9)
    }

    @Test("A server that is stopped and started again knows its users, keys and sessions")
    func restart() async throws {
        let installation = try Installation()
        let first = try await installation.server.start()
        let (phone, registration) = try await installation.registered("anna")
        #expect(registration.isDone, "\(registration.message)")
        try await installation.server.addUser("bert", password: Installation.password)
        let session = try await Browser.logIn("bert", at: installation.server)
        #expect(try await session.registrationStatus == 1200)
        first.stop()
        #expect(await first.ending().code == 0)
        let away = try await installation.authenticate(phone, "anna")
        #expect(away.code == 2 && away.error == "NetworkError")
        let second = try await installation.server.start()
        let back = try await installation.authenticate(phone, "anna")
        #expect(back.isDone, "\(back.message)")
        #expect(try await session.registrationStatus == 1200, "the session of before is still good")
        await #expect(throws: Browser.Refusal(status: 401), "it is the session that counts") {
            try await session.without.registrationStatus
        }
        second.kill()
        _ = await second.ending()
    }

    private struct Absent: Error {}
}
