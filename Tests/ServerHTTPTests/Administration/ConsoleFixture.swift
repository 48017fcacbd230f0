import BackendAPI
import Foundation
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import Octets
import OpenID
import ServerAdministration
import ServerCore
import SignInPages
import TestSupport
import Testing
import UAF
import UAFService

@testable import ServerHTTP

/// The console over a real socket, for the users `anna`, whom it is about, and `hans`, whose role tests choose.
struct ConsoleFixture {
    private static let authority = "server.example:9443"

    let site: SiteFixture
    let people: AdministrationPeople
    let log = RecordedLog(.trace)
    private let application: Application<ServiceResponder>

    init(
        role: AdministrationRole = .helpDesk, theme: PageTheme = PageTheme(), applications: [ApplicationVersions] = []
    ) async throws {
        let hans = try #require(UserName("hans"))
        people = AdministrationPeople([hans: role])
        site = try await SiteFixture(logger: log.logger, settings: { $0.uaf.applications = applications })
        var settings = site.settings
        settings.pages.theme = theme
        let server = OpenIDServer(site.server.services, transactions: site.transactions, settings: settings)
        let service = AdministrationService(server, people: people) { [.warning(.disk, "9 GiB <b>are</b> left")] }
        let pages = ConsolePages(
            try SignInPages(server, issuer: "https://server.example"), of: service, at: "https://\(Self.authority)")
        let clock = site.server.clock
        let limits = RequestLimits.unhurried
        let responder = HTTPRouting(
            limits: limits, metrics: site.server.metrics, now: { clock.now().milliseconds }, elapsed: { .zero }
        ).administrationResponder(
            service, door: .accessKeys, console: ServedConsole(pages, logout: site.services.logout))
        application = try HTTPListener(
            address: ListenerAddress(host: "127.0.0.1", port: 0), limits: limits.ofAdministration,
            logger: log.logger
        ).application(responder: responder, identity: nil, started: { _ in })
        try await site.server.services.users.add(name: "hans")
        try await signIn("hans")
    }

    /// Signs a user in, whose cookie is made of their name.
    func signIn(_ name: String, ago age: Duration = .zero) async throws {
        let user = try await site.server.services.users.user(named: name)
        let (now, random) = (site.server.clock.now(), site.server.services.ports.random)
        let session = BrowserSession(
            id: BrowserSessionID(from: random), cookie: ProviderCookieHash(of: Self.cookie(name).utf8),
            userID: user.id, ceremony: CeremonyID(from: random), assurance: .key,
            authenticatedAt: site.server.services.ports.wall.now() - age,
            evidence: RequestAuthorization.Evidence(authenticatedAt: now), expiresAt: now + .seconds(3_600))
        try await site.transactions.transaction { transaction throws(ServerTransactionFailure) in
            try transaction.insert(session)
        }
    }

    private static func cookie(_ name: String) -> String { "cookie-of-\(name)" }

    /// Gives a user a phone.
    func addPhone(of name: String, _ phone: String = "Old phone") async throws -> DispatchTargetID {
        let services = site.server.services
        let (user, random) = (try await services.users.user(named: name), services.ports.random)
        let target = DispatchTarget(
            id: DispatchTargetID(from: random), externalID: TargetExternalID(from: random), userID: user.id,
            deviceID: nil, name: try #require(DeviceName(phone)), dispatcher: nil, destination: nil,
            signatureKey: DeviceKey(try SyntheticDevice().signatureKey), encryptionKey: nil,
            createdAt: services.ports.clock.now())
        try await services.storage.transaction { transaction throws(ServerTransactionFailure) in
            try transaction.insert(target)
        }
        return target.id
    }

    /// Gives a user a passkey.
    func addPasskey(of name: String) async throws -> RegistrationID {
        let services = site.server.services
        let passkey = try Passkey(
            of: try await services.users.user(named: name).id, named: try #require(DeviceName("<b>Laptop")),
            at: services.ports.clock.now(), random: SystemRandomSource())
        _ = try await site.transactions.transaction { transaction throws(ServerTransactionFailure) in
            try transaction.insert(passkey)
        }
        return passkey.id
    }

    func path(of name: String) async throws -> String {
        "/console/people/" + (try await site.server.services.users.user(named: name).id.text)
    }

    func phones(of name: String) async throws -> [DispatchTarget] {
        let services = site.server.services
        return try await services.storage.targets.targets(of: services.users.user(named: name).id)
    }

    /// The last record of the audit.
    func lastKind() async throws -> String? { try await site.server.auditKinds().last }

    // MARK: - Requests

    /// Runs `body` with a browser of the listening console.
    func browse(_ body: @escaping @Sendable (Browser) async throws -> Void) async throws {
        try await application.test(.ahc()) { server in
            try await SocketClient.run(at: try #require(server.port)) { try await body(Browser(client: $0)) }
        }
    }

    /// Browser of a person.
    struct Browser: Sendable {
        let client: SocketClient

        func get(
            _ path: String, as name: String? = "hans", at authority: String = ConsoleFixture.authority
        ) async throws -> SocketClient.Answer {
            var headers = [(name: "Host", value: authority), (name: "Accept", value: "text/html,*/*;q=0.8")]
            if let name { headers.append(("Cookie", "__Host-signet-provider=\(ConsoleFixture.cookie(name))")) }
            return try await client.send("GET", path, headers, body: "")
        }

        /// Sends a form with the token of `token`, nil for none.
        func post(
            _ path: String, _ fields: [String: String], as name: String = "hans", token: String? = "hans",
            origin: String = "https://\(ConsoleFixture.authority)"
        ) async throws -> SocketClient.Answer {
            let known = token.flatMap {
                FormToken(cookie: Sensitive(ConsoleFixture.cookie($0)), session: ConsolePages.client)
            }
            var fields = fields
            fields["form_token"] = known?.text
            return try await client.send(
                "POST", path,
                [
                    ("Host", ConsoleFixture.authority), ("Accept", "text/html"), ("Origin", origin),
                    ("Content-Type", "application/x-www-form-urlencoded"),
                    ("Cookie", "__Host-signet-provider=\(ConsoleFixture.cookie(name))"),
                ], body: FormPairs.encode(fields.map { (name: $0.key, value: $0.value) }))
        }
    }
}

extension SocketClient.Answer {
    var text: String { String(decoding: body, as: UTF8.self) }

    /// Version that the form of an action has on the page.
    func version(of action: String) -> String? {
        guard let form = text.range(of: "value=\"\(action)\">") else { return nil }
        return text[form.upperBound...].firstMatch(of: /name="version" value="([^"]+)"/).map { String($0.1) }
    }
}
