import BackendTransport
import CommandSupport
import DemoCommands
import Foundation
import Testing

@Suite("A running server takes up what its operator changes", .serialized)
struct ReloadTests {
    @Test(
        "On SIGHUP another list of facets is published, and a file with a mistake changes nothing",
        .timeLimit(.minutes(10)))
    func hangup() async throws {
        let installation = try Installation()
        let process = try await installation.server.start()
        let transport = try installation.server.transport()
        let facets = BackendRequest(.get, installation.server.address + "/nevisfido/uaf/1.1/facets")
        let file = installation.server.folder.appending(path: "server.yml")
        let text = try String(contentsOf: file, encoding: .utf8)

        try Data((text + "fido-uaf: { facets: [\"ios:bundle-id:changed\"] }\n").utf8).write(to: file, options: .atomic)
        kill(process.identifier, SIGHUP)
        while try await !transport.response(to: facets).names("ios:bundle-id:changed") {}

        try Data((text + "fido-uaf: { facets: [\"ios:bundle-id:other\"").utf8).write(to: file, options: .atomic)
        kill(process.identifier, SIGHUP)
        while !process.complaints.contains("not reloaded") { _ = try await transport.response(to: facets) }
        #expect(process.complaints.contains("server.yml:"))
        #expect(try await transport.response(to: facets).names("ios:bundle-id:changed"))

        process.stop()
        #expect(await process.ending().code == 0)
    }
}

extension BackendResponse {
    fileprivate func names(_ facet: String) -> Bool { String(decoding: body, as: UTF8.self).contains(facet) }
}
