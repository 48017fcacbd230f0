import BackendAPI
import CommandSupport
import Crypto
import JOSE
import OpenID
import ServerCommandSupport
import ServerConfiguration
import ServerCore
import ServerHTTP
import StrictJSON
import TestSupport
import Testing
import UAF
import UAFService

@testable import ServerCommands

@Suite("SRV-22: Rights of the configuration are given and taken away while the server runs")
struct RightsReloadTests {
    private static let key = "portal-key-of-32-characters-0001"
    private static let other = "portal-key-of-32-characters-0002"
    private static let shop =
        #"openid: { enabled: true, clients: [{ id: shop, name: Shop, public: true, redirect-addresses: ["https://a.example/b"] }] }"#
    private static let issuer =
        "tokens: { trusted-issuers: [{ issuer: \"https://idp.example.com\", key-set-file: keys.json }] }"

    private let folder: TestSupport.TemporaryFolder
    private let server: TestServer
    private let phone: SyntheticAuthenticator
    private let registry: StoredClientRegistry
    private let issuerKey = P256.Signing.PrivateKey()
    private let log = RecordedLog()

    init() async throws {
        folder = try TestSupport.TemporaryFolder()
        phone = try SyntheticAuthenticator()
        server = try await TestServer(authenticators: [phone])
        registry = StoredClientRegistry(
            configured: [], reserved: [], transactions: server.openID, clock: server.clock)
        try await server.register(phone, for: try await server.services.users.add(name: "jeff"))
        let metadata = String(decoding: MetadataCatalog([phone.metadata]).document, as: UTF8.self)
        try write("metadata.json", metadata, mode: 0o644)
        try write("portal.key", Self.key)
        let point = Array(issuerKey.publicKey.rawRepresentation)
        let key = try JWK(verifying: .p256(x: Array(point.prefix(32)), y: Array(point.suffix(32))), keyID: "external")
        try write("keys.json", String(decoding: try JWKS([key]).json, as: UTF8.self))
    }

    private func write(_ name: String, _ text: String, mode: UInt16 = 0o600) throws {
        try PosixFiles().write(Array(text.utf8), to: folder.path + "/" + name, mode: mode)
    }

    private func configure(_ lines: String..., dispatchers: String = "[{ type: png-qr-code }]") throws {
        let uaf = "fido-uaf: { metadata: { path: metadata.json }, facets: [\"\(TestServer.facet)\"]"
        try write(
            "server.yml",
            (["data-directory: data", "\(uaf), dispatchers: \(dispatchers) }"] + lines).joined(separator: "\n"))
    }

    /// The configuration with one access key of this name.
    private func keys(_ name: String) -> String {
        "out-of-band: { access-keys: [{ name: \(name), key-file: portal.key }] }"
    }

    /// A watch over the configuration that was written, whose rights are taken up.
    private func watch() async throws -> DeploymentWatch {
        let file = ConfigurationFile(path: folder.path + "/server.yml", dataDirectory: nil)
        let running = try file.deployment()
        let sites = OpenIDServer(server.services, transactions: server.openID, settings: running.webSites)
        var watch = DeploymentWatch(
            file, running: running, origin: TestServer.origin,
            parts: .init(
                services: server.services,
                certificates: try ServedCertificates(running, services: server.services),
                clients: ConfiguredClients(registry: registry, administration: ClientAdministration(sites))),
            logger: log.logger)
        await twoLooks(&watch)
        #expect(log.take().isEmpty, "nothing has changed since the start")
        return watch
    }

    private func twoLooks(_ watch: inout DeploymentWatch) async {
        await watch.look()
        await watch.look()
    }

    private func name(of key: String) -> String? { server.services.authorization.accessKeys.name(of: key)?.text }

    @Test("An access key that is left out is unauthorized, another one is taken")
    func accessKeys() async throws {
        try configure(keys("portal"))
        var watch = try await watch()
        #expect(name(of: Self.key) == "portal")
        try configure(keys("shop"))
        await twoLooks(&watch)
        #expect(name(of: Self.key) == "shop")
        try configure()
        await twoLooks(&watch)
        #expect(name(of: Self.key) == nil)
        let lines = log.take()
        #expect(lines.count == 2)
        #expect(lines.first?.contains("addedAccessKeys=shop") == true)
        #expect(lines.first?.contains("removedAccessKeys=portal") == true)
        #expect(lines.last?.contains("removedAccessKeys=shop") == true)
    }

    @Test("The file of an access key is watched, too: a new secret is taken, the old one is refused")
    func keyFile() async throws {
        try configure(keys("portal"))
        var watch = try await watch()
        try write("portal.key", Self.other)
        await twoLooks(&watch)
        #expect(name(of: Self.other) == "portal" && name(of: Self.key) == nil)
        #expect(log.take().first?.contains("changedAccessKeys=portal") == true)
    }

    @Test("A request that waits with an access key that is left out is unauthorized at once")
    func wait() async throws {
        try configure(keys("portal"), dispatchers: "[{ type: link, base-url: \"signet://open\" }]")
        var watch = try await watch()
        let begun = try await server.dispatch(by: .link)
        let (status, portal) = (server.services.status, try TestServer.portal)
        let request = StatusRequest(sessionID: begun.sessionID ?? "", after: .tokenCreated, wait: 30_000)
        #expect(try await server.status(begun.sessionID).status == .tokenCreated)
        async let answer = Result { () async throws in try await status.status(request, authorization: portal) }
        try await Task.sleep(for: .milliseconds(50))
        try configure(dispatchers: "[{ type: link, base-url: \"signet://open\" }]")
        await twoLooks(&watch)
        let ended = await answer
        #expect(throws: ServerError.unauthorized) { try ended.get() }
    }

    @Test("Tokens of a trusted issuer that is left out are refused")
    func issuers() async throws {
        try configure(Self.issuer)
        var watch = try await watch()
        let now = server.clock.now().seconds
        let claims = try JWTClaims([
            "iss": .string("https://idp.example.com"), "aud": .string("signet"), "sub": .string("jeff"),
            "iat": .integer(now), "exp": .integer(now + 600),
        ])
        let unsigned = UnsignedJWS(
            header: JOSEHeader(algorithm: .es256, keyID: "external"), payload: claims.payload)
        let signature = try issuerKey.signature(for: unsigned.signingInput)
        let token = unsigned.signed(with: Array(signature.rawRepresentation))
        #expect(try await server.services.tokens.grant(forToken: token)?.user.name.text == "jeff")
        try configure()
        await twoLooks(&watch)
        #expect(try await server.services.tokens.grant(forToken: token) == nil)
        #expect(log.take().first?.contains("removedIssuers=https://idp.example.com") == true)
    }

    @Test("A client of the file that is left out is unknown, and the audit says that it was removed")
    func clients() async throws {
        try configure(Self.shop)
        var watch = try await watch()
        let shop = try #require(ClientID("shop"))
        #expect(try await registry.client(shop)?.name == "Shop")
        try configure("openid: { enabled: true }")
        await twoLooks(&watch)
        #expect(try await registry.client(shop) == nil)
        #expect(log.take().first?.contains("removedClients=shop") == true)
        let records = try await server.storage.audit.records(of: "main", after: 0, limit: 100)
        #expect(records.count { String(decoding: $0.event, as: UTF8.self).contains("ADMIN_CLIENT_REMOVED") } == 1)
    }

    @Test("A dispatcher that is left out delivers nothing any more, and the key set does not name it")
    func dispatchers() async throws {
        try configure(dispatchers: "[{ type: link, base-url: \"signet://open\" }, { type: png-qr-code }]")
        var watch = try await watch()
        #expect(try await server.dispatch(by: .link).result == .dispatched)
        try configure(dispatchers: "[{ type: png-qr-code }]")
        await twoLooks(&watch)
        #expect(try await server.dispatch(by: .link).result == .dispatcherNotFound)
        #expect(try await server.dispatch(by: .pngQRCode).result == .dispatched)
        let document = try KeySetDocument(body: server.services.keySetDocument)
        #expect(document.dispatchers == [.pngQRCode])
        #expect(log.take().first?.contains("removedDispatchers=link") == true)
    }

    @Test("A file with a mistake takes no right away and gives none; log and health say so until it is repaired")
    func mistake() async throws {
        try configure(keys("portal"))
        var watch = try await watch()
        #expect(watch.mistake.text == nil)
        try write("portal.key", "short")
        await twoLooks(&watch)
        #expect(name(of: Self.key) == "portal")
        let text = try #require(watch.mistake.text)
        #expect(text.contains("access-keys.0.key-file") && !text.contains("short"))
        #expect(log.take().map { $0.prefix(19) } == ["error: not reloaded"])
        try write("portal.key", Self.other)
        await twoLooks(&watch)
        #expect(name(of: Self.other) == "portal" && watch.mistake.text == nil)
        #expect(log.take().map { $0.prefix(16) } == ["notice: reloaded"])
    }
}

extension Result where Failure == any Error {
    fileprivate init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
