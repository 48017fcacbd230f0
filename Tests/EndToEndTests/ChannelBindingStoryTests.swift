import CommandSupport
import DeviceCommands
import Foundation
import Testing

@Suite("A-4: the channel binding between a phone and a server, two processes, over TLS", .serialized)
struct ChannelBindingStoryTests {
    private static let required = "fido-uaf: { channel-binding: { rule: required } }\n"

    @Test("Where it is required, a phone registers and signs in, also after the server has made another certificate")
    func required() async throws {
        let installation = try Installation(settings: Self.required)
        let first = try await installation.server.start()
        let (phone, registration) = try await installation.registered("anna")
        #expect(registration.isDone, "\(registration.message)")
        #expect(try await installation.authenticate(phone, "anna").isDone)
        first.stop()
        _ = await first.ending()

        let tls = installation.server.authorityFile.deletingLastPathComponent()
        let before = try Data(contentsOf: tls.appending(path: "server.pem"))
        try FileManager.default.removeItem(at: tls.appending(path: "server.pem"))
        let second = try await installation.server.start()
        #expect(try Data(contentsOf: tls.appending(path: "server.pem")) != before)
        let back = try await installation.authenticate(phone, "anna")
        #expect(back.isDone, "\(back.message)")
        second.stop()
        _ = await second.ending()
    }
}
