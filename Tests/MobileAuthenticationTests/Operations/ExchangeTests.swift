import BackendAPI
import BackendTransport
import MobileAuthenticationTestKit
import Testing
import UAF

@testable import MobileAuthentication

@Suite("What the SDK signs of the server and the exchange")
struct ExchangeTests {
    private static let questions = ["/uaf/1.1/request/registration/", "/uaf/1.1/request/authentication/"]
    private static let answers = ["/uaf/1.1/registration/", "/uaf/1.1/authentication/"]

    @Test(
        "A server that announces it gets, from the second question on, the name of the exchange and its origin signed")
    func names() async throws {
        let phone = try await TestPhone()
        try await phone.register()
        _ = try await phone.authenticate()
        _ = try await phone.authenticate()
        let asked = Self.questions.flatMap { phone.backend.requests(to: $0) }.map(Self.name)
        let named = asked.compactMap(\.self)
        let bindings = try signed(by: phone)
        #expect(asked.count == 4 && asked[0] == nil && Set(named).count == 3)
        #expect(bindings.map { $0?.exchange?.base64URL } == named)
        #expect(bindings.allSatisfy { $0?.origin == "https://server.example" })
        #expect(phone.backend.requests.count { Self.name($0) != nil } == 3)
    }

    @Test("A server that announces nothing gets what the standard has: no name, no binding, one question each")
    func foreignServer() async throws {
        let phone = try await TestPhone()
        phone.backend.script {
            $0.binding = .unknown
            $0.transactions = [Transaction(contentType: .plainText, content: Array("Pay".utf8))]
        }
        try await phone.register()
        _ = try await phone.authenticate()
        #expect(Self.questions.flatMap { phone.backend.requests(to: $0) }.count == 2)
        #expect(phone.backend.requests.allSatisfy { Self.name($0) == nil })
        #expect(try signed(by: phone) == [nil, nil])
    }

    @Test("A server that has announced it once is not made a foreign one by a request without the announcement")
    func strippedAnnouncement() async throws {
        let phone = try await TestPhone()
        try await phone.register()
        phone.backend.script { $0.binding = .stripped }
        for user in ["jeff", "anna"] {
            if user == "anna" { try await phone.register(user) }
            _ = try await phone.authenticate(user)
        }
        let asked = Self.questions.flatMap { phone.backend.requests(to: $0) }.dropFirst().map(Self.name)
        #expect(asked.count == 4 && !asked.contains(nil))
        #expect(Set(try signed(by: phone).map { $0?.exchange?.base64URL }) == Set(asked))
    }

    @Test("A key from before the announcement states the server from the first announcement on, and keeps that")
    func laterAnnouncement() async throws {
        let phone = try await TestPhone()
        phone.backend.script { $0.binding = .unknown }
        try await phone.register()
        for rule in [ScriptedBackend.BindingRule.stripped, .announced, .stripped] {
            phone.backend.script { $0.binding = rule }
            _ = try await phone.authenticate()
        }
        let bindings = try signed(by: phone)
        #expect(bindings.map { $0 != nil } == [false, false, true, true])
        let asked = phone.backend.requests(to: Self.questions[1]).map(Self.name)
        #expect(asked.map { $0 != nil } == [false, false, true, true])
    }

    @Test("Where the second answer has lost the announcement, the server refuses what is signed without the name")
    func lostOnTheSecondAnswer() async throws {
        let phone = try await TestPhone()
        phone.backend.script { $0.binding = .strippedWhenNamed }
        let error = await #expect(throws: OperationError.self) { try await phone.register() }
        #expect(error?.cause as? ServerStatus == ServerStatus(1490))
        #expect(phone.usernames.isEmpty)
    }

    @Test("A deregistration names no exchange: nothing is signed")
    func deregistration() async throws {
        let phone = try await TestPhone()
        try await phone.register()
        try await phone.client.operations.deregistration.username("jeff")
            .authorizationProvider(JwtAuthorizationProvider("a.b.c")).perform()
        let sent = phone.backend.requests(to: "/uaf/1.1/request/deregistration/")
        #expect(sent.count == 1 && sent.allSatisfy { Self.name($0) == nil })
    }

    @Test("An application cannot name the exchange by a header of its own")
    func ownHeader() async throws {
        let phone = try await TestPhone()
        let person = await TestUser(pins: ["482915"])
        try await phone.registration("jeff", person).requestHeaders([Endpoint.exchangeField: "mine"]).perform()
        let sent = phone.backend.requests(to: Self.questions[0]).map { $0.headers.values(of: Endpoint.exchangeField) }
        #expect(sent.map(\.count) == [0, 1] && sent[1] != ["mine"])
    }

    /// What the phone has signed of the server, in the order of registrations and authentications.
    private func signed(by phone: TestPhone) throws -> [ServerBinding?] {
        try Self.answers.flatMap { phone.backend.requests(to: $0) }.map(binding)
    }

    private static func name(_ request: BackendRequest) -> String? {
        request.headers.first(Endpoint.exchangeField)
    }

    private func binding(_ request: BackendRequest) throws -> ServerBinding? {
        let message = Array(try SendUAFResponse(body: request.body).uafResponse.utf8)
        let response = try OperationResponse(message: message)
        switch response {
        case .registration(let registration): return registration.finalChallenge.serverBinding
        case .authentication(let authentication): return authentication.finalChallenge.serverBinding
        }
    }
}
