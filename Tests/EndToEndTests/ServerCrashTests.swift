import Foundation
import SignetCommands
import Testing

@Suite("SRV-REL-1: a server that is killed while it works", .serialized)
struct ServerCrashTests {
    @Test("No acknowledged registration is lost, and an unacknowledged one can be made again")
    func keepsAcknowledged() async throws {
        let installation = try Installation()
        var server = try await installation.server.start()
        var acknowledged: [(PhoneProcess, String)] = []
        for round in 1...3 {
            let user = "user\(round)"
            try await installation.server.addUser(user, password: Installation.password)
            let phone = try await installation.phone("phone\(round)")
            let command = try phone.start("register", installation.registration(of: user))
            try await Task.sleep(for: .milliseconds(700 * round))
            server.kill()
            _ = await server.ending()
            let outcome = try PhoneProcess.outcome(of: await command.ending())
            server = try await installation.server.start()
            let mended = outcome.isDone ? outcome : try await installation.register(phone, user)
            #expect(mended.isDone, "\(mended.message)")
            acknowledged.append((phone, user))
        }
        for (phone, user) in acknowledged {
            let outcome = try await installation.authenticate(phone, user)
            #expect(outcome.isDone, "\(user): \(outcome.message)")
        }
        server.stop()
        _ = await server.ending()
    }
}
