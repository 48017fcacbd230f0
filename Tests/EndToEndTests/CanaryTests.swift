import Foundation
import SignetCommands
import Testing

@Suite("SDK-15: secrets stay out of logs and recordings", .serialized)
struct CanaryTests {
    @Test("Neither password, PIN nor session stands in anything that server, phone and recordings wrote at trace level")
    func canaries() async throws {
        let installation = try Installation(settings: "log: { level: trace }\n")
        let server = try await installation.server.start()
        let (phone, registration) = try await installation.registered("anna")
        #expect(registration.isDone, "\(registration.message)")
        #expect(try await installation.authenticate(phone, "anna").isDone)
        try await installation.server.addUser("bert", password: Installation.password)
        let browser = try await Browser.logIn("bert", at: installation.server)
        #expect(try await browser.registrationStatus == 1200)
        let wrong = "canary-wrong-password-3b1d77"
        let refused = try await Browser.status(ofLogIn: "bert", password: wrong, at: installation.server)
        #expect(refused == 401)
        server.stop()
        _ = await server.ending()
        #expect(browser.session.utf8.count > 16)
        let written = try texts(under: installation.scratch.url)
        #expect(written.contains { $0.name.hasSuffix("-request.http") })
        #expect(written.contains { $0.text.contains(#""level":"debug""#) || $0.text.contains(#""level":"trace""#) })
        for (name, text) in written {
            for canary in [Installation.password, Installation.pin, browser.session, wrong] {
                #expect(!text.contains(canary), "\(name) holds a secret")
            }
        }
    }

    /// Every file that was written, but for those that the test itself put secrets into.
    private func texts(under folder: URL) throws -> [(name: String, text: String)] {
        let names = FileManager.default.enumerator(atPath: folder.path())?.compactMap { $0 as? String } ?? []
        return names.filter { !$0.hasSuffix("pin") && !$0.contains("password-of-") }.compactMap { name in
            FileManager.default.contents(atPath: folder.appending(path: name).path()).map { content in
                (name, String(decoding: content, as: UTF8.self))
            }
        }
    }
}
