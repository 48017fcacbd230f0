import Foundation
import SignetCommands
import Testing

@Suite("SDK-15: secrets stay out of logs and recordings", .serialized)
struct CanaryTests {
    @Test("Neither password nor PIN stands in anything that server, phone and recordings wrote")
    func canaries() async throws {
        let installation = try Installation()
        let server = try await installation.server.start()
        let (phone, registration) = try await installation.registered("anna")
        #expect(registration.isDone, "\(registration.message)")
        #expect(try await installation.authenticate(phone, "anna").isDone)
        server.stop()
        _ = await server.ending()
        let written = try texts(under: installation.scratch.url)
        #expect(written.contains { $0.name.hasSuffix("-request.http") })
        for (name, text) in written {
            for canary in [Installation.password, Installation.pin] {
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
