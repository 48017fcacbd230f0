import BackendAPI
import Logging
import ServerCore
import Synchronization
import TestSupport
import Testing
import UAF

@Suite("Answers: strictness that the configuration chooses (S-L11)")
struct VerificationSettingsTests {
    /// Keeps what is logged at notice.
    private struct Recorder: LogHandler {
        final class Lines: Sendable {
            let texts = Mutex<[String]>([])
        }

        let lines: Lines
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.notice

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            lines.texts.withLock { $0.append("\(event.message) \(event.metadata ?? [:])") }
        }
    }

    private let lines = Recorder.Lines()
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
        let lines = lines
        let server = try await TestServer(
            authenticators: [phone], logger: Logger(label: "test") { _ in Recorder(lines: lines) }
        ) { change(&$0.uaf.verification) }
        return (server, try await server.services.users.add(name: "jeff"), old)
    }

    @Test("S-L11: An authenticator older than its metadata passes and is logged with user and model")
    func risk() async throws {
        let (server, user, old) = try await server()
        #expect(try await server.register(old, for: user) == .ok)
        #expect(try await server.authenticate("jeff", with: old).message.statusCode == .ok)
        let found = lines.texts.withLock { $0 }.filter { $0.contains("older than its metadata") }
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

    @Test("A request that was asked for in an exchange is answered in that one only, unless the rule says otherwise")
    func serverBinding() async throws {
        let exchange = try #require(ServerBinding.ExchangeID([UInt8](repeating: 3, count: 16)))
        for rule in VerificationSettings.ChannelBinding.allCases {
            let (server, user, _) = try await server { $0.serverBinding = rule }
            let asked = GetUAFRequest(RegistrationContext(username: try server.name("jeff")))
            let cases: [(ServerBinding.ExchangeID?, Bool)] = [(exchange, true), (nil, rule == .ignored)]
            for (stated, isAccepted) in cases {
                let answer = try await server.services.registration.issueRequest(
                    asked, authorization: server.grant(user), client: ClientContext(exchange: exchange))
                guard case .registration(let request) = try TestServer.request(answer) else { throw NoRegistration() }
                var client = try server.client
                client.serverBinding = try #require(ServerBinding(server: TestServer.appID, exchange: stated))
                let message = try client.answer(request, with: [try SyntheticAuthenticator()])
                let status = await server.answerRegistration(message)
                #expect(status == (isAccepted ? .ok : .channelBindingRefused), "\(rule)")
            }
        }
    }

    private struct NoRegistration: Error {}

    @Test("S-L11: A channel binding that is required and missing is refused; without certificates nothing starts")
    func channelBinding() async throws {
        await #expect(throws: ServerError.invalidSetting(name: "channel-binding")) {
            try await server { $0.channelBinding = .required }
        }
        let (ignoring, user, _) = try await server()
        #expect(try await ignoring.register(phone, for: user) == .ok)
    }
}
