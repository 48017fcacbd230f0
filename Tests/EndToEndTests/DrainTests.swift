import BackendTransport
import CommandSupport
import DemoCommands
import Foundation
import Testing

@Suite("A server that is told to stop")
struct DrainTests {
    private static let patience = Duration.seconds(600)

    @Test("S-M7: after SIGTERM health says 503 while phones still sign in; then the server ends with code 0")
    func drain() async throws {
        let installation = try Installation(settings: "server: { drain-time: 8s }\n")
        let server = try await installation.server.start()
        defer { server.kill() }
        let (phone, registration) = try await installation.registered("anna")
        #expect(registration.isDone, "\(registration.message)")
        #expect(try await installation.server.health().status == 200)
        server.stop()
        let clock = ContinuousClock()
        let end = clock.now + Self.patience
        while try await installation.server.health().status == 200, clock.now < end {
            try await Task.sleep(for: .milliseconds(10))
        }
        #expect(try await installation.server.health().status == 503)
        let signedIn = try await installation.authenticate(phone, "anna")
        #expect(signedIn.isDone, "\(signedIn.message)")
        #expect(server.isRunning)
        #expect(try await installation.server.health().status == 503)
        #expect(await server.ending().code == 0)
    }

    @Test("SA-16: a page that waits is told the present state when the drain ends, and the server ends in 5 seconds")
    func openPage() async throws {
        let stage = try await WebSiteStage(settings: "server: { drain-time: 3s }\n")
        defer { stage.end() }
        let page = try await stage.openPage()
        #expect(try await stage.get(page.path, page.cookie).status == 200)
        let path = "/sign-in-status/\(page.session)?known=waiting&wait="
        #expect(try await stage.get(path + "0", page.cookie).text.contains(#""state":"waiting""#))
        async let answer = stage.get(path + "25000", page.cookie)
        try await Task.sleep(for: .milliseconds(500))
        let clock = ContinuousClock()
        let start = clock.now
        #expect(await stage.stop().code == 0)
        #expect(clock.now - start < .seconds(5))
        let state = try await answer
        #expect(state.status == 200 && state.text.contains(#""state":"waiting""#))
        #expect(state.headers.values(of: "Connection") == ["close"])
    }
}
