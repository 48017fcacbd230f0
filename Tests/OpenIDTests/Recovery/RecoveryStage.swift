import BackendAPI
import Octets
import OpenID
import ServerCore
import TestSupport
import Testing
import UAFService

/// A server with ways back, on which `jeff` has a phone and codes.
struct RecoveryStage {
    let server: TestServer
    let recoveries: RecoveryService
    let user: User
    let phone: SyntheticAuthenticator
    let codes: [RecoveryCode]
    let client = ClientContext(address: "192.0.2.1")

    init(_ store: TestServer.Store = .memory, monotonic: (any BootClock)? = nil) async throws {
        phone = try SyntheticAuthenticator()
        server = try await TestServer(authenticators: [phone], store: store, monotonic: monotonic) { settings in
            settings.outOfBand.linking.scan = .none
        }
        recoveries = try Self.service(server)
        user = try await server.services.users.add(name: "jeff")
        try await server.register(phone, for: user)
        try await server.addTarget(of: user, on: SyntheticDevice(), named: "Old phone")
        codes = try #require(
            try await recoveries.makeCodes(by: Self.grant(user, server), client: ClientContext()))
    }

    /// Service of another process on the database of a server, or of this one.
    static func service(_ server: TestServer) throws -> RecoveryService {
        var settings = OpenIDSettings()
        settings.recovery.isEnabled = true
        return try #require(
            RecoveryService(OpenIDServer(server.services, transactions: server.openID, settings: settings)))
    }

    static func grant(_ user: User, _ server: TestServer) -> RequestAuthorization.Login {
        let now = server.services.ports.clock.now()
        return RequestAuthorization.Login(
            user: user, methods: [.fidoUAF], evidence: RequestAuthorization.Evidence(authenticatedAt: now))
    }

    var grant: RequestAuthorization.Login { Self.grant(user, server) }

    /// Begins a recovery; its cookie, nil for what was refused.
    func begin(_ code: String, name: String = "jeff", from client: ClientContext? = nil) async throws -> Sensitive<
        String
    >? {
        let answer = try await recoveries.begin(name: name, code: code, client: client ?? self.client)
        guard case .begun(let cookie, _) = answer else { return nil }
        return cookie
    }

    /// A recovery whose wait is over.
    func opened() async throws -> Sensitive<String> {
        let cookie = try #require(try await begin(codes[0].text))
        server.clock.advance(by: .seconds(86_400))
        return cookie
    }

    func kinds() async throws -> [String] {
        try await server.services.audit.records(of: "main", limit: 1_000).map {
            String(decoding: $0.event, as: UTF8.self)
        }
    }

    /// Token of the last link.
    func token() throws -> String {
        let content = try #require(server.link.parcels.last?.envelope.content)
        return String(try #require(content.firstMatch(of: /"token":"([^"]+)"/)?.output.1))
    }
}
