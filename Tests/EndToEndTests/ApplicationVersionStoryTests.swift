import BackendTransport
import CommandSupport
import DemoCommands
import DeviceCommands
import Foundation
import MobileAuthentication
import Testing

@Suite("An application asks a running server for its version, over TLS", .serialized)
struct ApplicationVersionStoryTests {
    @Test(
        "A version is blocked on SIGHUP, and a server that is gone is an error and no verdict",
        .timeLimit(.minutes(10)))
    func story() async throws {
        let installation = try Installation()
        let facet = "linux:app-id:org.signet.demo"
        let file = installation.server.folder.appending(path: "server.yml")
        let text = try String(contentsOf: file, encoding: .utf8)
        func configure(_ blocked: String) throws {
            let settings =
                "fido-uaf: { facets: [\"\(facet)\"], applications: [{ facet: \"\(facet)\", minimum: \"5.0\", "
                + "latest: \"5.2\", blocked: [\(blocked)], message: { en: Please } }] }\n"
            try Data((text + settings).utf8).write(to: file, options: .atomic)
        }
        try configure("")
        let process = try await installation.server.start()
        var configuration = Configuration(
            baseUrl: try #require(URL(string: installation.server.address + "/nevisfido")))
        configuration.additionalTrustedCertificates = try installation.authorities()
        let connected = configuration
        func status(_ version: String) async throws -> WantedApplicationVersion.Status {
            try await connected.applicationVersionCheck.facet(facet).version(version).perform().status
        }
        #expect(try await status("4.9") == .updateRequired)
        #expect(try await status("5.1") == .updateAvailable)
        #expect(try await status("5.2") == .upToDate)
        let unknown = await #expect(throws: ApplicationVersionError.self) {
            _ = try await connected.applicationVersionCheck.facet("linux:app-id:other").version("5.2").perform()
        }
        guard case .UnknownApplication = unknown else {
            Issue.record("\(String(describing: unknown))")
            return
        }
        try configure("\"5.2\"")
        kill(process.identifier, SIGHUP)
        while try await status("5.2") != .blocked {}
        process.kill()
        _ = await process.ending()
        let gone = await #expect(throws: ApplicationVersionError.self) { _ = try await status("5.2") }
        guard case .NetworkError = gone else {
            Issue.record("\(String(describing: gone))")
            return
        }
    }
}
