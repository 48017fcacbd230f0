import BackendAPI
import ServerCore
import TestSupport
import Testing
import UAF
import UAFService

@Suite("What a request for an authentication has read serves its answer (SRV-1, SRV-4)")
struct UserCredentialCacheTests {
    private let phone: SyntheticAuthenticator
    private let server: TestServer
    private let user: User

    init() async throws {
        phone = try SyntheticAuthenticator()
        server = try await TestServer(authenticators: [phone])
        user = try await server.services.users.add(name: "jeff")
        try await server.register(phone, for: user)
    }

    /// The status of the answer to a request, and how many reads it took.
    private func reads(
        answering request: AuthenticationRequest, at judge: TestServer? = nil, with phone: SyntheticAuthenticator? = nil
    ) async throws -> (status: StatusCode, count: Int) {
        let answer = try server.client.answer(request, with: [phone ?? self.phone])
        let before = server.database.readCount
        let status = await (judge ?? server).answerAuthentication(answer).message.statusCode
        return (status, server.database.readCount - before)
    }

    @Test("The process that has asked reads nothing again")
    func sameProcess() async throws {
        let answered = try await reads(answering: try await server.authenticationRequest(for: "jeff"))
        #expect(answered == (.ok, 0))
    }

    @Test("Another process reads the user and the credentials")
    func otherProcess() async throws {
        let second = try await TestServer(authenticators: [phone], store: .of(server))
        let answered = try await reads(answering: try await server.authenticationRequest(for: "jeff"), at: second)
        #expect(answered == (.ok, 1))
    }

    @Test("A minute after the request both are read again", arguments: [59_999, 60_000])
    func lifetime(milliseconds: Int) async throws {
        let request = try await server.authenticationRequest(for: "jeff")
        server.clock.advance(by: .milliseconds(milliseconds))
        #expect(try await reads(answering: request) == (.ok, milliseconds < 60_000 ? 0 : 1))
    }

    @Test("It serves one answer: a second one is read for, and refused")
    func secondAnswer() async throws {
        let request = try await server.authenticationRequest(for: "jeff")
        #expect(try await reads(answering: request) == (.ok, 0))
        #expect(try await reads(answering: request) == (.requestInvalid, 1))
    }

    @Test("The oldest of too many requests gives its place up")
    func limit() async throws {
        let first = try await server.authenticationRequest(for: "jeff")
        let second = try await server.authenticationRequest(for: "jeff")
        for _ in 0..<4_095 { _ = try await server.authenticationRequest(for: "absent") }
        #expect(try await reads(answering: first) == (.ok, 1))
        #expect(try await reads(answering: second) == (.ok, 0))
    }

    @Test("An answer in the name of an unknown user takes as many reads as one in a user's name")
    func absent() async throws {
        let foreign = try SyntheticAuthenticator()
        try await server.register(foreign, for: try await server.services.users.add(name: "eve"))
        let known = try await reads(answering: try await server.authenticationRequest(for: "jeff"), with: foreign)
        let unknown = try await reads(answering: try await server.authenticationRequest(for: "absent"), with: foreign)
        #expect(known.status != .ok && unknown.status != .ok)
        #expect(known.count == unknown.count)
    }

    @Test("A counter that another answer has passed since the request raises the alarm (SEC-10)")
    func clone() async throws {
        var counting = try SyntheticAuthenticator()
        counting.counters = Counters(signatures: 5, registrations: 1)
        try await server.register(counting, for: user)
        counting.counters = Counters(signatures: 6, registrations: 1)
        let requests = [
            try await server.authenticationRequest(for: "jeff"), try await server.authenticationRequest(for: "jeff"),
        ]
        #expect(try await reads(answering: requests[0], with: counting) == (.ok, 0))
        #expect(try await reads(answering: requests[1], with: counting).status == .unacceptableContent)
        #expect(try await server.auditKinds().last == "CLONE_SUSPECTED")
    }
}
