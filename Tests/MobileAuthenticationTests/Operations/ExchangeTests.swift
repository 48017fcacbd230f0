import BackendAPI
import BackendTransport
import Testing
import UAF

@testable import MobileAuthentication

@Suite("What the SDK signs of the server and the exchange")
struct ExchangeTests {
    private static let questions = ["/uaf/1.1/request/registration/", "/uaf/1.1/request/authentication/"]
    private static let answers = ["/uaf/1.1/registration/", "/uaf/1.1/authentication/"]

    @Test("Each operation names an exchange of its own with its question only, and signs that name and the origin")
    func names() async throws {
        let phone = try await TestPhone()
        try await phone.register()
        _ = try await phone.authenticate()
        _ = try await phone.authenticate()
        let asked = Self.questions.flatMap { phone.backend.requests(to: $0) }.map(Self.name)
        let bindings = try Self.answers.flatMap { phone.backend.requests(to: $0) }.map(binding)
        #expect(asked.count == 3 && Set(asked).count == 3 && !asked.contains(nil))
        #expect(bindings.map { $0?.exchange?.base64URL } == asked)
        #expect(bindings.allSatisfy { $0?.origin == "https://server.example" })
        #expect(phone.backend.requests.count { Self.name($0) != nil } == 3)
    }

    @Test("An application cannot name the exchange by a header of its own")
    func ownHeader() async throws {
        let phone = try await TestPhone()
        let person = await TestUser(pins: ["482915"])
        try await phone.registration("jeff", person).requestHeaders([Endpoint.exchangeField: "mine"]).perform()
        let sent = try #require(phone.backend.requests(to: Self.questions[0]).first)
        #expect(sent.headers.values(of: Endpoint.exchangeField).count == 1)
        #expect(Self.name(sent) != "mine")
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
