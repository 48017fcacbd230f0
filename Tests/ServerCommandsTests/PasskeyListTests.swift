import CommandSupport
import FoundationEssentials
import OpenID
import ServerCommandSupport
import ServerConfiguration
import ServerCore
import StrictJSON
import TestSupport
import Testing
import UAFService
import WebAuthn

@testable import ServerCommands

@Suite("The list of models of passkeys in the file of openid.passkeys.metadata-file")
struct PasskeyListTests {
    private let folder: TestSupport.TemporaryFolder
    private let server: TestServer
    private let signer: PasskeyListSigner
    private let models = PasskeyModels()
    private let log = RecordedLog()

    /// A server that runs by list 7, which has one model.
    init() async throws {
        folder = try TestSupport.TemporaryFolder()
        signer = try PasskeyListSigner()
        server = try await TestServer(authenticators: [try SyntheticAuthenticator()])
        try write("roots.pem", signer.authority.rootText)
        try write(
            "server.yml",
            Array(
                """
                data-directory: data
                fido-uaf: { facets: ["\(TestServer.facet)"] }
                openid:
                  enabled: true
                  passkeys: { enabled: true, metadata-file: list.jwt, metadata-roots-files: [roots.pem] }

                """.utf8))
        try write(7)
    }

    private func write(_ name: String, _ octets: [UInt8]) throws {
        try PosixFiles().write(octets, to: folder.path + "/" + name, mode: 0o600)
    }

    private func write(
        _ number: Int64, _ words: [String] = ["FIDO_CERTIFIED"], nextUpdate: String = "2099-12-31",
        by other: PasskeyListSigner? = nil
    ) throws {
        let signer = other ?? self.signer
        let list = PasskeyListSigner.list(
            [PasskeyListSigner.entry(root: signer.authority.root, words)], number: number, nextUpdate: nextUpdate)
        try write("list.jwt", try signer.text(list))
    }

    private func deployment() throws -> Deployment { try file.deployment() }

    private var file: ConfigurationFile { ConfigurationFile(path: folder.path + "/server.yml", dataDirectory: nil) }

    /// A watch over the running server, which has taken the files.
    private func watch() async throws -> DeploymentWatch {
        let running = try deployment()
        models.replace(with: try await running.passkeyMetadata(from: PosixFiles(), at: Date()))
        var parts = DeploymentWatch.Parts(
            services: server.services, certificates: try ServedCertificates(running, services: server.services))
        parts.passkeyModels = models
        return DeploymentWatch(
            file, running: running, origin: "https://login.example.com", parts: parts, logger: log.logger)
    }

    @Test("The next list is taken up while the server runs, with the models that it revokes")
    func next() async throws {
        var watch = try await watch()
        await watch.reload()
        #expect(models.current?.models.values.map(\.isRevoked) == [false])
        _ = log.take()
        try write(8, ["FIDO_CERTIFIED", "REVOKED"])
        await watch.look()
        await watch.look()
        #expect(models.current?.number == 8 && models.current?.models.values.map(\.isRevoked) == [true])
        #expect(log.take().first?.contains("passkeyMetadata=8") == true)
    }

    @Test("An earlier, expired, foreign or broken list is not taken up, and the log says why; the one before stays")
    func refused() async throws {
        var watch = try await watch()
        let other = try PasskeyListSigner()
        let bad: [(write: () throws -> Void, reason: String)] = [
            ({ try write(6) }, "it has number 6, and number 7 is in use already"),
            ({ try write(8, nextUpdate: "2026-01-31") }, "it has expired: the next one was due on 2026-01-31"),
            ({ try write(8, by: other) }, "its certificates do not end at the roots"),
            ({ try write("list.jwt", Array("{}".utf8)) }, "it is no signed list of models"),
        ]
        for (write, reason) in bad {
            _ = log.take()
            try write()
            await watch.reload()
            let line = try #require(log.take().first)
            #expect(
                line.contains("not reloaded") && line.contains("openid.passkeys.metadata-file: \(folder.path)/list.jwt")
            )
            #expect(line.contains(reason), "\(line)")
            #expect(models.current?.number == 7)
        }
    }

    @Test("config check tells number, models and the day of the next list")
    func explained() async throws {
        try write(7, ["REVOKED"])
        let deployment = try deployment()
        let catalog = try deployment.metadata(from: PosixFiles())
        let settings = try deployment.serverSettings(metadata: catalog, origin: deployment.origin)
        let list = try await deployment.passkeyMetadata(from: PosixFiles(), at: Date())
        let lines = ConfigurationExplanation(deployment, settings, catalog, list).lines
        #expect(
            lines.first { $0.name == "passkey metadata" }?.value
                == "number 7 with 1 models, 1 of them revoked; the next one is due by 2099-12-31")
    }
}
