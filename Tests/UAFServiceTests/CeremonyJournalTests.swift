import BackendAPI
import Logging
import ServerCore
import TestSupport
import Testing
import UAF
import UAFService

@Suite("What the log tells of ceremonies")
struct CeremonyJournalTests {
    private let log = RecordedLog(.info)
    private let phone: SyntheticAuthenticator
    private let server: TestServer
    private let user: User

    init() async throws {
        phone = try SyntheticAuthenticator()
        server = try await TestServer(authenticators: [phone], logger: log.logger)
        user = try await server.services.users.add(name: "anna")
        try await server.register(phone, for: user)
    }

    private func lines(containing parts: String...) -> [String] {
        log.lines.filter { line in parts.allSatisfy { line.contains($0) } }
    }

    @Test("O-M1: a registration, a sign-in and a deregistration are lines at info, with the user")
    func successes() async throws {
        #expect(try await server.authenticate("anna", with: phone).message.statusCode == .ok)
        _ = try await server.services.deregistration.issueRequest(
            GetUAFRequest(DeregistrationContext(scope: .everything)), authorization: server.grant(user),
            client: ClientContext())
        for kind in ["REGISTRATION_SUCCEEDED", "SIGNED_IN", "DEREGISTRATION"] {
            #expect(lines(containing: "info: \(kind)", "userId=\(user.id.text)", "traceId=").count == 1, "\(kind)")
        }
    }

    @Test("O-M1: a refusal is a line at notice with its reason, and strangers cannot make more than a few")
    func refusals() async throws {
        let stranger = try SyntheticAuthenticator()
        for _ in 0..<30 {
            let request = try await server.authenticationRequest(for: "anna")
            _ = await server.answerAuthentication(try server.client.answer(request, with: [stranger]))
        }
        let told = lines(containing: "notice: refused", "reason=", "userId=\(user.id.text)")
        #expect(!told.isEmpty && told.count <= 10)
    }

    @Test("O-M1: a registration that is not allowed is a line at notice with the status")
    func refusedRegistration() async throws {
        let answer = try await server.services.registrationRequests.issueRequest(
            GetUAFRequest(RegistrationContext(username: try server.name("anna"), policy: nil)),
            authorization: server.grant(user, [.password]), client: ClientContext())
        #expect(answer.statusCode == .unauthorized)
        #expect(lines(containing: "notice: refused", "registration request: 1401", "userId=\(user.id.text)").count == 1)
    }
}
