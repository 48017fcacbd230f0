import BackendAPI
import CommandSupport
import Foundation
import HTTPEngine
import ServerCommandSupport
import ServerCore
import ServerHTTP
import StrictJSON
import TestSupport
import Testing
import UAF
import UAFService

@testable import ServerCommands

@Suite("Configuration and metadata are read again while the server runs")
struct DeploymentWatchTests {
    private static let facet = "  facets: [\"\(TestServer.facet)\"]\n"

    private let folder: TestSupport.TemporaryFolder
    private let server: TestServer
    private let old: SyntheticAuthenticator
    private let new: SyntheticAuthenticator
    private let log = RecordedLog()

    /// A server that runs by a configuration whose metadata folder states one model.
    init() async throws {
        folder = try TestSupport.TemporaryFolder()
        old = try SyntheticAuthenticator()
        new = try SyntheticAuthenticator(aaid: try #require(AAID("FFFF#FC0D")))
        server = try await TestServer(authenticators: [old])
        try PosixFiles().makePrivateFolder(folder.path + "/metadata")
        try write("metadata/old.json", old)
        try configure(Self.facet)
    }

    private func write(_ name: String, _ text: String) throws {
        try PosixFiles().write(Array(text.utf8), to: folder.path + "/" + name, mode: 0o600)
    }

    private func write(_ name: String, _ authenticator: SyntheticAuthenticator) throws {
        try write(name, String(decoding: MetadataCatalog([authenticator.metadata]).document, as: UTF8.self))
    }

    private func configure(_ uaf: String, more: String = "") throws {
        try write("server.yml", "data-directory: data\nfido-uaf:\n  metadata: { path: metadata }\n" + uaf + more)
    }

    private func watch() async throws -> DeploymentWatch {
        let file = ConfigurationFile(path: folder.path + "/server.yml", dataDirectory: nil)
        let running = try file.deployment()
        var watch = DeploymentWatch(
            file, running: running, origin: "https://login.example.com",
            parts: .init(
                services: server.services,
                certificates: try ServedCertificates(running, services: server.services)), logger: log.logger)
        await twoLooks(&watch)
        #expect(log.take().isEmpty, "nothing has changed since the start")
        return watch
    }

    /// The second one finds what the first one found, so that the files are no longer written.
    private func twoLooks(_ watch: inout DeploymentWatch) async {
        await watch.look()
        await watch.look()
    }

    private var models: [AAID] { server.services.acceptance.current.metadata.statements.map(\.aaid) }
    private var facets: [String] { server.services.acceptance.current.facets.map(\.text) }

    @Test("The file of a policy is read again; a fault in it, told with its place, keeps the policy that was")
    func policyFile() async throws {
        func policy(_ model: AAID) -> String { #"{"accepted":[[{"aaid":["\#(model.text)"]}]]}"# }
        func inUse() -> [String] {
            server.services.acceptance.current.listedPolicies.map { JSONWriter.text($0.json) }
        }
        try write("policy.json", policy(old.aaid))
        try configure(Self.facet + "  policies: { default: { file: policy.json } }\n")
        var watch = try await watch()
        try write("policy.json", "{\n\"accepted\": 1}")
        await twoLooks(&watch)
        #expect(inUse() == [policy(old.aaid)])
        #expect(log.take().contains { "\($0)".contains("policy.json:2:1: accepted: must be of the type array") })
        try write("policy.json", policy(new.aaid))
        await twoLooks(&watch)
        #expect(inUse() == [policy(new.aaid)])
    }

    @Test("Files that contradict the standard of the configuration are not taken up, in the words of its row")
    func contradiction() async throws {
        func standard(_ lifetime: String) -> String {
            "profile: psd2-sca\nout-of-band: { require-encryption: true }\nsessions: { lifetime: \(lifetime) }\n"
        }
        try configure(Self.facet, more: standard("5m"))
        var watch = try await watch()
        try configure("  facets: [\"ios:bundle-id:org.example.new\"]\n", more: standard("6m"))
        await twoLooks(&watch)
        #expect(facets == [TestServer.facet])
        let line = try #require(log.take().first)
        #expect(line.hasPrefix("error: not reloaded") && line.contains("profile psd2-sca, 4(3)(d) "))
        #expect(line.contains("sessions.lifetime is 6m: set it to 5m or less"))
    }

    @Test("A file that is added to the metadata folder adds its model, which can be registered then")
    func addedModel() async throws {
        var watch = try await watch()
        let user = try await server.services.users.add(name: "anna")
        #expect(try await server.register(new, for: user) != .ok)
        try write("metadata/new.json", new)
        await twoLooks(&watch)
        #expect(models == [old.aaid, new.aaid])
        #expect(try await server.register(new, for: user) == .ok)
        #expect(
            log.take() == ["notice: reloaded addedModels=FFFF#FC0D changedPolicies=default facets=1 models=2"])
    }

    @Test("A file that is removed takes its model away")
    func removedModel() async throws {
        var watch = try await watch()
        let user = try await server.services.users.add(name: "anna")
        #expect(try await server.register(old, for: user) == .ok)
        try write("metadata/old.json", new)
        await twoLooks(&watch)
        #expect(models == [new.aaid])
        #expect(try await server.authenticate(nil, with: old).message.statusCode != .ok)
        #expect(log.take().first?.contains("removedModels=FFFF#FC01") == true)
    }

    @Test("Another list of facets is taken up")
    func facetList() async throws {
        var watch = try await watch()
        try configure("  facets: [\"ios:bundle-id:a\", \"ios:bundle-id:b\"]\n")
        await twoLooks(&watch)
        #expect(facets == ["ios:bundle-id:a", "ios:bundle-id:b"])
        #expect(log.take().count == 1)
    }

    @Test("A file that changes between two looks is still being written and left alone")
    func unfinished() async throws {
        var watch = try await watch()
        try configure("  facets: [\"ios:bundle-id:a\"]\n")
        await watch.look()
        try configure("  facets: [\"ios:bundle-id:a\", \"ios:bundle-id:b\"]\n")
        await watch.look()
        #expect(facets == [TestServer.facet])
        await watch.look()
        #expect(facets == ["ios:bundle-id:a", "ios:bundle-id:b"])
    }

    @Test(
        "Metadata that cannot be used changes nothing and is said once, with file and fault",
        arguments: ["[{", "[{}]", "again", nil] as [String?])
    func badMetadata(text: String?) async throws {
        var watch = try await watch()
        switch text {
        case "again": try write("metadata/other.json", old)
        case let text?: try write("metadata/other.json", text)
        case nil: try PosixFiles().makePrivateFolder(folder.path + "/metadata/other.json")
        }
        await twoLooks(&watch)
        #expect(models == [old.aaid])
        let said = log.take()
        #expect(said.count == 1)
        #expect(said.first?.hasPrefix("error: not reloaded") == true)
        #expect(said.first?.contains("/metadata/other.json holds no readable metadata statements: ") == true)
        await twoLooks(&watch)
        #expect(log.take().isEmpty)
    }

    @Test("What was wrong is said again when the file has changed and is wrong still, and the end of it is said too")
    func changedButBad() async throws {
        var watch = try await watch()
        try write("metadata/new.json", "[{")
        await twoLooks(&watch)
        #expect(log.take().count == 1)
        try write("metadata/new.json", "[{\"aaid\":")
        await twoLooks(&watch)
        #expect(log.take().count == 1)
        try write("metadata/new.json", new)
        await twoLooks(&watch)
        #expect(models == [old.aaid, new.aaid])
        #expect(log.take().map { $0.prefix(16) } == ["notice: reloaded"])
    }

    @Test("A configuration with a mistake changes nothing, not even by what is right in it or in the metadata")
    func badConfiguration() async throws {
        var watch = try await watch()
        try configure("  facets: [\"ios:bundle-id:a\"]\n", more: "servr: {}\n")
        try write("metadata/new.json", new)
        await twoLooks(&watch)
        #expect(facets == [TestServer.facet])
        #expect(models == [old.aaid])
        let said = log.take()
        #expect(said.count == 1)
        #expect(said.first?.contains("server.yml:5:1: servr: unknown setting, did you mean \"server\"?") == true)
    }

    @Test("On order the files are read at once, changed or not")
    func ordered() async throws {
        var watch = try await watch()
        await watch.reload()
        #expect(log.take() == ["notice: reloaded facets=1 models=1"])
        try configure("  facets: [\"ios:bundle-id:a\"]\n")
        await watch.reload()
        #expect(facets == ["ios:bundle-id:a"])
        #expect(log.take().count == 1)
    }

    @Test("What needs a restart is named once and not taken up")
    func restart() async throws {
        var watch = try await watch()
        try configure(Self.facet + "  hide-unknown-users: false\n", more: "log: { level: debug }\n")
        await twoLooks(&watch)
        await twoLooks(&watch)
        #expect(log.take() == ["warning: restart needed settings=log, fido-uaf.hide-unknown-users"])
    }

    @Test("Another profile changes nothing: what it allows must not reach a server that runs by the stricter one")
    func profile() async throws {
        var watch = try await watch()
        try configure("  facets: [\"ios:bundle-id:a\"]\n", more: "profile: production\n")
        await twoLooks(&watch)
        #expect(facets == [TestServer.facet])
        let said = log.take()
        #expect(said.count == 1)
        #expect(said.first?.contains("another profile needs a restart") == true)
    }

    @Test("A failing database leaves everything as it was, and the next look succeeds")
    func failingDatabase() async throws {
        var watch = try await watch()
        try write("metadata/new.json", new)
        server.database.set { $0.failsCommits = true }
        await twoLooks(&watch)
        #expect(models == [old.aaid])
        server.database.set { $0.failsCommits = false }
        await watch.look()
        #expect(models == [old.aaid, new.aaid])
    }

    @Test("SRV-22: A renewed certificate is taken up; a key of another leaves the one before, and its file named")
    func certificate() async throws {
        let identities = try (0..<2).map { _ in try LoopbackAuthority.make(now: Date()).identity(now: Date()) }
        func install(_ chain: Int, key: Int) throws {
            try write("chain.pem", identities[chain].identity.chainPEM)
            try write("key.pem", identities[key].privateKeyPEM)
        }
        try install(0, key: 0)
        try configure(
            Self.facet, more: "server: { tls: { certificate-file: chain.pem, private-key-file: key.pem } }\n")
        let file = ConfigurationFile(path: folder.path + "/server.yml", dataDirectory: nil)
        let running = try file.deployment()
        let certificates = try ServedCertificates(running, services: server.services)
        let identity = try #require(certificates.identity)
        var watch = DeploymentWatch(
            file, running: running, origin: "https://login.example.com",
            parts: .init(services: server.services, certificates: certificates), logger: log.logger)
        await twoLooks(&watch)
        try install(1, key: 0)
        await twoLooks(&watch)
        #expect(identity.chains == [identities[0].identity.chainPEM])
        #expect(log.take().contains { $0.contains("not reloaded") && $0.contains("key.pem") })
        try install(1, key: 1)
        await twoLooks(&watch)
        #expect(identity.chains == [identities[1].identity.chainPEM])
        #expect(log.take().contains { $0.contains("certificate replaced") })
        let served = PosixFiles().contents(of: folder.path + "/data/tls/served.pem")
        #expect(served == Array(identities[1].identity.chainPEM.utf8))
    }
}
