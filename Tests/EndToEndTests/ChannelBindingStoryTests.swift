import CommandSupport
import DemoCommands
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

    @Test(
        "Where it is required, a relay that ends TLS with another trusted certificate is refused until that is listed")
    func relayed() async throws {
        let relay = try await TLSRelay()
        let installation = try Installation()
        let here = "server: { public-url: \"\(relay.address)\" }\n"
        try installation.server.configure(here + Self.required)
        let first = try await installation.server.start()
        try await relay.start(before: installation.server)
        try await installation.server.addUser("anna", password: Installation.password)
        let phone = PhoneProcess(
            program: installation.programs.phone, folder: installation.scratch.url.appending(path: "phone"),
            logs: installation.scratch.url)
        _ = try await phone.run(
            "init", ["--server", relay.address, "--ca", relay.authorityFile.path(), "--keys", "software"])
        let refused = try await installation.register(phone, "anna")
        #expect(refused.uafStatus == 1490, "\(refused.message)")
        #expect(refused.message.contains("(UAF 1490)"), "\(refused.message)")
        first.stop()
        let log = await first.ending().complaints
        #expect(log.contains("channel of another server"), "\(log.suffix(600))")
        // Unsigned refusals are summed up, at the latest when the process stops.
        let audit = try await installation.server.exportedAudit()
        #expect(audit.contains { $0.contains("channel of another server") }, "\(audit.suffix(3))")

        let listed =
            "fido-uaf: { channel-binding: { rule: required, certificate-files: [\"\(relay.certificateFile.path())\"] } }\n"
        try installation.server.configure(here + listed)
        let second = try await installation.server.start()
        let registered = try await installation.register(phone, "anna")
        #expect(registered.isDone, "\(registered.message)")
        let back = try await installation.authenticate(phone, "anna")
        #expect(back.isDone, "\(back.message)")
        second.stop()
        _ = await second.ending()
    }
}
