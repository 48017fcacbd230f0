import Foundation
import SignetCommands
import Testing

@Suite("A phone that is killed while it works", .serialized)
struct PhoneCrashTests {
    @Test("Whatever the moment of the kill, the phone can register and sign in afterwards")
    func mends() async throws {
        let installation = try Installation()
        let server = try await installation.server.start()
        try await installation.server.addUser("anna", password: Installation.password)
        let phone = try await installation.phone("phone")
        for delay in [300, 900, 1500, 2100] {
            let command = try phone.start("register", installation.registration(of: "anna"))
            try await Task.sleep(for: .milliseconds(delay))
            command.kill()
            _ = await command.ending()
        }
        var signedIn = try await installation.authenticate(phone, "anna")
        if !signedIn.isDone {
            let again = try await installation.register(phone, "anna")
            #expect(again.isDone, "\(again.message)")
            signedIn = try await installation.authenticate(phone, "anna")
        }
        #expect(signedIn.isDone, "\(signedIn.message)")
        server.stop()
        _ = await server.ending()
    }
}
