import StrictJSON
import TestSupport
import Testing
import UAF

@testable import RelyingParty

@Suite("Beside UAF Protocol 3.4.6.5, step 4: the server and the exchange that a client has signed")
struct ServerBindingTests {
    private static let server = "https://login.example.com"
    private static let origins: Set<String> = [server, "https://old.example.com:8443"]

    private let exchange: ServerBinding.ExchangeID
    private let other: ServerBinding.ExchangeID

    init() throws {
        exchange = try #require(ServerBinding.ExchangeID([UInt8](repeating: 1, count: 16)))
        other = try #require(ServerBinding.ExchangeID([UInt8](repeating: 2, count: 16)))
    }

    /// The verdict on a registration whose request was asked for in `asked`; nil when it is accepted.
    private func outcome(
        _ rule: ServerBindingRule, asked: ServerBinding.ExchangeID?, _ binding: ServerBinding?,
        isOutOfBand: Bool = false
    ) async throws -> Verdict? {
        var ceremony = try Ceremony()
        ceremony.serverBinding = rule
        ceremony.exchange = asked
        ceremony.isOutOfBand = isOutOfBand
        ceremony.client.serverBinding = binding
        let message = try ceremony.registrationMessage()
        do throws(RelyingPartyError) {
            _ = try await ceremony.registered(message)
            return nil
        } catch {
            #expect(!error.consumesChallenge)
            return error.verdict
        }
    }

    private func binding(_ server: String, _ exchange: ServerBinding.ExchangeID?) throws -> ServerBinding {
        try #require(ServerBinding(server: server, exchange: exchange))
    }

    @Test("A client that states the server and the exchange of the request is accepted, by each origin of the server")
    func stated() async throws {
        let rules = [ServerBindingRule.verifiedWhenStated(Self.origins), .required(Self.origins)]
        for rule in rules {
            for server in ["https://LOGIN.example.com:443/base", "https://old.example.com:8443"] {
                #expect(try await outcome(rule, asked: exchange, try binding(server, exchange)) == nil)
                #expect(try await outcome(rule, asked: nil, try binding(server, nil), isOutOfBand: true) == nil)
            }
        }
    }

    @Test("Another server, another exchange, one that was not begun and one that was left out are refused")
    func wrong() async throws {
        let refusal = Verdict(check: 7, status: 1490)
        for rule in [ServerBindingRule.verifiedWhenStated(Self.origins), .required(Self.origins)] {
            for server in ["https://login.example.org", "https://login.example.com:8443", "https://old.example.com"] {
                #expect(try await outcome(rule, asked: exchange, try binding(server, exchange)) == refusal)
            }
            let own = try binding(Self.server, exchange)
            #expect(try await outcome(rule, asked: other, own) == refusal)
            #expect(try await outcome(rule, asked: nil, own) == refusal)
            #expect(try await outcome(rule, asked: exchange, try binding(Self.server, nil)) == refusal)
            #expect(try await outcome(rule, asked: exchange, nil) == refusal)
        }
    }

    @Test("Where the binding is required, a request that was asked for without a name is answered by no client")
    func announcementOnly() async throws {
        let own = try binding(Self.server, nil)
        #expect(try await outcome(.verifiedWhenStated(Self.origins), asked: nil, own) == nil)
        #expect(try await outcome(.required(Self.origins), asked: nil, own) == Verdict(check: 7, status: 1490))
    }

    @Test("A client of another maker states nothing: it is accepted unless the binding is required")
    func foreignClient() async throws {
        #expect(try await outcome(.verifiedWhenStated(Self.origins), asked: nil, nil) == nil)
        #expect(try await outcome(.required(Self.origins), asked: nil, nil) == Verdict(check: 7, status: 1490))
        #expect(try await outcome(.ignored, asked: exchange, try binding("https://login.example.org", other)) == nil)
    }

    @Test("An authentication is judged by the same rule")
    func authentication() throws {
        var ceremony = try Ceremony()
        ceremony.serverBinding = .verifiedWhenStated(Self.origins)
        ceremony.exchange = exchange
        ceremony.client.serverBinding = try binding(Self.server, exchange)
        _ = try ceremony.authenticated(try ceremony.authenticationMessage())
        ceremony.client.serverBinding = try binding(Self.server, other)
        let message = try ceremony.authenticationMessage()
        let judged = ceremony
        let error = #expect(throws: RelyingPartyError.self) { try judged.authenticated(message) }
        #expect(error?.verdict == Verdict(check: 7, status: 1490))
    }

    @Test("A binding that is replaced after the authenticator has signed is refused")
    func replaced() async throws {
        var ceremony = try Ceremony()
        ceremony.serverBinding = .verifiedWhenStated(Self.origins)
        ceremony.exchange = exchange
        ceremony.client.serverBinding = try binding(Self.server, other)
        let signed = try ceremony.registrationMessage()
        ceremony.client.serverBinding = try binding(Self.server, exchange)
        let own = try ceremony.registrationMessage()
        let parameters = try parameters(of: own)
        let spliced = try members(of: signed).replacing("fcParams", with: .string(parameters))
        let message = JSONWriter.write(.array([.object(spliced)]))
        let judged = ceremony
        let error = await #expect(throws: RelyingPartyError.self) { try await judged.registered(message) }
        #expect(error?.reason == .finalChallengeHash)
    }

    private func members(of message: [UInt8]) throws -> JSONObject {
        try #require(
            try JSONParser.parse(message).asArray { value throws(JSONTypeError) in try value.asObject() }.first)
    }

    private func parameters(of message: [UInt8]) throws -> String {
        try members(of: message).string("fcParams")
    }
}
