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
}
