import BackendAPI
import Octets
import ServerCore
import TestSupport
import Testing
import UAF
import UAFService

@Suite("Answers: strictness that the configuration chooses (S-L11)")
struct VerificationSettingsTests {
    private let log = RecordedLog()
    private let phone: SyntheticAuthenticator

    init() throws {
        phone = try SyntheticAuthenticator()
    }

    /// A server on which the phone is older than its metadata says.
    private func server(
        _ change: @escaping (inout VerificationSettings) -> Void = { _ in }
    ) async throws -> (TestServer, User, SyntheticAuthenticator) {
        var old = phone
        old.version = 0
        let server = try await TestServer(
            authenticators: [phone], logger: log.logger
        ) { change(&$0.uaf.verification) }
        return (server, try await server.services.users.add(name: "jeff"), old)
    }

    @Test("S-L11: An authenticator older than its metadata passes and is logged with user and model")
    func risk() async throws {
        let (server, user, old) = try await server()
        #expect(try await server.register(old, for: user) == .ok)
        #expect(try await server.authenticate("jeff", with: old).message.statusCode == .ok)
        let found = log.lines.filter { $0.contains("older than its metadata") }
        #expect(found.count == 2 && found.allSatisfy { $0.contains(user.id.text) && $0.contains(old.aaid.text) })
    }

    @Test("S-L11: Where the configuration says so, such an authenticator and one registered too often are refused")
    func strict() async throws {
        let (strict, user, old) = try await server { $0.refusesOutdatedAuthenticators = true }
        #expect(try await strict.register(old, for: user) == .revokedAuthenticator)
        #expect(try await strict.register(phone, for: user) == .ok)
        let (limited, other, _) = try await server { $0.registrationCounterLimit = 3 }
        var often = phone
        often.counters = Counters(signatures: 1, registrations: 4)
        #expect(try await limited.register(often, for: other) == .unacceptableAuthenticator)
        often.counters = Counters(signatures: 1, registrations: 3)
        #expect(try await limited.register(often, for: other) == .ok)
    }

    @Test(
        "A request that was asked for in an exchange is answered in that one only, and says so, unless the rule says otherwise"
    )
    func serverBinding() async throws {
        let exchange = try #require(ServerBinding.ExchangeID([UInt8](repeating: 3, count: 16)))
        for rule in VerificationSettings.ChannelBinding.allCases {
            let (server, user, _) = try await server { $0.serverBinding = rule }
            let asked = GetUAFRequest(RegistrationContext(username: try server.name("jeff")))
            let cases: [(ServerBinding.ExchangeID?, Bool)] = [(exchange, true), (nil, rule == .ignored)]
            for (stated, isAccepted) in cases {
                let answer = try await server.services.registrationRequests.issueRequest(
                    asked, authorization: server.grant(user), client: ClientContext(exchange: exchange))
                guard case .registration(let request) = try TestServer.request(answer) else { throw NoRegistration() }
                #expect(request.header.announcesServerBinding == (rule != .ignored))
                var client = try server.client
                client.serverBinding = ServerBinding(server: TestServer.appID, exchange: stated)
                let message = try client.answer(request, with: [try SyntheticAuthenticator()])
                let status = await server.answerRegistration(message)
                #expect(status == (isAccepted ? .ok : .channelBindingRefused), "\(rule)")
            }
        }
    }

    private struct NoRegistration: Error {}

    /// The phone's side of ceremonies, over a connection with a certificate that it states; nil: it states none.
    private func client(of server: TestServer, stating certificate: [UInt8]?) throws -> SyntheticClient {
        var client = try server.client
        client.channelBinding = ChannelBinding(
            serverEndPoint: nil, tlsServerCertificate: certificate.map { Base64URL.encode($0) })
        return client
    }

    private func register(
        at server: TestServer, _ user: User, stating certificate: [UInt8]?
    ) async throws -> StatusCode {
        let request = try await server.registrationRequest(for: user)
        return await server.answerRegistration(
            try client(of: server, stating: certificate).answer(request, with: [phone]))
    }

    private func authenticate(at server: TestServer, stating certificate: [UInt8]?) async throws -> StatusCode {
        let request = try await server.authenticationRequest(for: "jeff")
        return await server.answerAuthentication(
            try client(of: server, stating: certificate).answer(request, with: [phone])
        ).message.statusCode
    }

    @Test("A-4: A channel that belongs to no known front end is refused and logged; who states none passes")
    func verified() async throws {
        let (own, other) = (try SyntheticAttestation().root, try SyntheticAttestation().root)
        let (server, user, _) = try await server()
        try server.services.frontEnds.replace(with: [Self.pem(own)])
        #expect(try await register(at: server, user, stating: other) == .channelBindingRefused)
        #expect(log.lines.contains { $0.contains("channel of another server: registration 7") })
        #expect(try await register(at: server, user, stating: own) == .ok)
        #expect(try await authenticate(at: server, stating: nil) == .ok)
        #expect(try await authenticate(at: server, stating: other) == .channelBindingRefused)
    }

    @Test("A-4: A server that knows no front end ignores what is stated, and refuses everything where it is required")
    func unknown() async throws {
        let certificate = try SyntheticAttestation().root
        let (ignoring, user, _) = try await server()
        #expect(try await register(at: ignoring, user, stating: certificate) == .ok)
        let (demanding, other, _) = try await server { $0.channelBinding = .required }
        #expect(try await register(at: demanding, other, stating: nil) == .channelBindingRefused)
        #expect(try await register(at: demanding, other, stating: certificate) == .channelBindingRefused)
        try demanding.services.frontEnds.replace(with: [Self.pem(certificate)])
        #expect(try await register(at: demanding, other, stating: nil) == .channelBindingRefused)
        #expect(try await register(at: demanding, other, stating: certificate) == .ok)
    }

    @Test("A-4: A certificate that was replaced stays known for the lifetime of a request and a minute")
    func replaced() async throws {
        let (old, new) = (try SyntheticAttestation().root, try SyntheticAttestation().root)
        let (server, user, _) = try await server { $0.channelBinding = .required }
        try server.services.frontEnds.replace(with: [Self.pem(old)])
        #expect(try await register(at: server, user, stating: old) == .ok)
        try server.services.frontEnds.replace(with: [Self.pem(new)])
        #expect(try await authenticate(at: server, stating: old) == .ok)
        #expect(try await authenticate(at: server, stating: new) == .ok)
        server.clock.advance(by: server.services.settings.uaf.responseLifetime + .seconds(59))
        #expect(try await authenticate(at: server, stating: old) == .ok)
        server.clock.advance(by: .seconds(1))
        #expect(try await authenticate(at: server, stating: old) == .channelBindingRefused)
        #expect(try await authenticate(at: server, stating: new) == .ok)
    }

    @Test("What is no certificate is named, and what was known stays known")
    func noCertificate() async throws {
        let own = try SyntheticAttestation().root
        let (server, user, _) = try await server { $0.channelBinding = .required }
        try server.services.frontEnds.replace(with: [Self.pem(own)])
        #expect(throws: ServerError.invalidSetting(name: "channel-binding")) {
            try server.services.frontEnds.replace(with: [Array("no certificate".utf8)])
        }
        #expect(try await register(at: server, user, stating: own) == .ok)
    }

    /// A certificate in PEM form (RFC 7468).
    private static func pem(_ certificate: [UInt8]) -> [UInt8] {
        var rest = Substring(Base64.encode(certificate))
        var lines = ["-----BEGIN CERTIFICATE-----"]
        while !rest.isEmpty {
            lines.append(String(rest.prefix(64)))
            rest = rest.dropFirst(64)
        }
        return Array((lines + ["-----END CERTIFICATE-----", ""]).joined(separator: "\n").utf8)
    }
}
