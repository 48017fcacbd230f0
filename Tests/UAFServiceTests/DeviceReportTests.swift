import BackendAPI
import ServerCore
import TestSupport
import Testing
import UAF
import UAFService

@Suite("Response services: error report of a device (backend-http-api 1.6)")
struct DeviceReportTests {
    private let phone: SyntheticAuthenticator
    private let server: TestServer
    private let user: User
    private let canceled = ResponseContext(asmStatus: .userCancelled, clientErrorCode: .userCancelled)

    init() async throws {
        phone = try SyntheticAuthenticator()
        server = try await TestServer(authenticators: [phone])
        user = try await server.services.users.add(name: "jeff")
    }

    private func body(_ message: [UInt8], _ context: ResponseContext?) -> SendUAFResponse {
        SendUAFResponse(uafResponse: String(decoding: message, as: UTF8.self), context: context)
    }

    private func registration(_ message: [UInt8], _ context: ResponseContext?) async throws -> StatusCode {
        try await server.services.registrationResponses.acceptResponse(body(message, context), client: ClientContext())
            .message.statusCode
    }

    @Test("A report ends a registration: 1498, the codes are counted, and the challenge is gone")
    func registration() async throws {
        let request = try await server.registrationRequest(for: user)
        #expect(try await registration(try server.client.answer(request, with: []), canceled) == .unacceptableContent)
        #expect(try await registration(try server.client.answer(request, with: [phone]), nil) == .requestInvalid)
        #expect(try await server.services.users.credentials(of: user).isEmpty)
        let summary = try #require(try await server.countedRefusals())
        #expect(summary.contains("device: asmStatusCode 3, clientErrorCode 3 1"))
    }

    @Test("A report ends an authentication too", arguments: ["jeff", nil])
    func authentication(name: String?) async throws {
        try await server.register(phone, for: user)
        let request = try await server.authenticationRequest(for: name)
        let report = body(
            try server.client.answer(request, with: []), ResponseContext(clientErrorCode: .userNotResponsive))
        let answer = try await server.services.authenticationResponses.acceptResponse(report, client: ClientContext())
        #expect(answer.message.statusCode == .unacceptableContent)
        let late = await server.answerAuthentication(try server.client.answer(request, with: [phone]))
        #expect(late.message.statusCode == .requestInvalid)
        let summary = try #require(try await server.countedRefusals())
        #expect(summary.contains("device: asmStatusCode -, clientErrorCode 14 1"))
    }

    @Test("A report with forged serverData consumes nothing")
    func forgedState() async throws {
        let request = try await server.registrationRequest(for: user)
        let text = try #require(request.header.serverData?.text)
        let forged = try #require(ServerData(String(text.dropLast(4)) + (text.hasSuffix("AAAA") ? "BBBB" : "AAAA")))
        let header = OperationHeader(
            operation: .registration, appID: request.header.appID, serverData: forged)
        let changed = RegistrationRequest(
            header: header, challenge: request.challenge, username: user.name, policy: request.policy)
        #expect(try await registration(try server.client.answer(changed, with: []), canceled) == .unacceptableContent)
        #expect(try await registration(try server.client.answer(request, with: [phone]), nil) == .ok)
    }

    @Test("A report of another application, challenge or operation consumes nothing")
    func foreign() async throws {
        let request = try await server.registrationRequest(for: user)
        let other = try await server.registrationRequest(for: user)
        let evil = SyntheticClient(facet: try #require(FacetID("ios:bundle-id:com.example.evil")))
        #expect(try await registration(try evil.answer(request, with: []), canceled) == .unacceptableContent)
        let mixed = RegistrationRequest(
            header: request.header, challenge: other.challenge, username: user.name, policy: request.policy)
        #expect(try await registration(try server.client.answer(mixed, with: []), canceled) == .requestInvalid)
        let report = body(try server.client.answer(request, with: []), canceled)
        let answer = try await server.services.authenticationResponses.acceptResponse(report, client: ClientContext())
        #expect(answer.message.statusCode == .unacceptableContent)
        #expect(try await server.auditKinds() == ["ADMIN_USER_ADDED"])
        #expect(try await registration(try server.client.answer(request, with: [phone]), nil) == .ok)
    }

    @Test("No assertions without a code of failure are no report, and consume nothing")
    func noCodes() async throws {
        let request = try await server.registrationRequest(for: user)
        let empty = try server.client.answer(request, with: [])
        let success = ResponseContext(asmStatus: .ok, clientErrorCode: .noError)
        for context in [nil, success] { #expect(try await registration(empty, context) == .unacceptableContent) }
        #expect(try await registration(try server.client.answer(request, with: [phone]), success) == .ok)
    }

    @Test("A report of a ceremony that is over says so")
    func twice() async throws {
        let request = try await server.registrationRequest(for: user)
        #expect(try await registration(try server.client.answer(request, with: [phone]), nil) == .ok)
        #expect(try await registration(try server.client.answer(request, with: []), canceled) == .requestInvalid)
        #expect(try await server.services.users.credentials(of: user).count == 1)
    }
}
