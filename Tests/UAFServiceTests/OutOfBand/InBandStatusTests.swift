import BackendAPI
import ServerCore
import ServerPersistence
import StrictJSON
import TestSupport
import Testing
import UAF
import UAFService

@Suite("Status service: in-band ceremonies (backend-http-api 3; decisions, 3)")
struct InBandStatusTests {
    private let stage: OutOfBandStage

    init() async throws {
        stage = try await OutOfBandStage()
    }

    private var server: TestServer { stage.server }

    /// The session of the last record of the audit.
    private func lastSession() async throws -> String {
        let record = try JSONParser.parse(try #require(try await server.auditTexts().last)).asObject()
        return try record.required("sessionId") { value throws(JSONTypeError) in try value.asString() }
    }

    /// The session of the only ceremony that was refused, which the audit does not name when the answer is not signed.
    private func refusedSession() async throws -> String {
        let row = try await server.database.read { connection throws(ServerPersistenceError) in
            try connection.row("SELECT ceremony_id FROM consumed_challenges WHERE uaf_status <> 1200", [])
        }
        guard case .blob(let octets)? = row?.values.first else { throw TestServer.Failure.setUp }
        return try #require(CeremonyID(octets)).text
    }

    @Test("An authentication that is answered has succeeded, with user and authenticator, for the time of retention")
    func success() async throws {
        #expect(try await server.authenticate("jeff", with: stage.phone).message.statusCode == .ok)
        let session = try await lastSession()
        let status = try await server.status(session)
        #expect(status.status == .succeeded && status.outcome.uafStatus == .ok)
        #expect(status.outcome.userID == "jeff-ext")
        #expect(status.outcome.authenticators.map(\.credential) == [try #require(stage.phone.credential)])
        #expect(status.tokenInformation == nil)
        server.clock.advance(by: .milliseconds(299_999))
        #expect(try await server.status(session).status == .succeeded)
        server.clock.advance(by: .milliseconds(1))
        #expect(try await server.status(session).status == .unknown)
    }

    @Test("A registration that is answered has succeeded")
    func registration() async throws {
        let anna = try await server.services.users.add(name: "anna", externalID: "anna-ext")
        let other = try SyntheticAuthenticator()
        #expect(try await server.register(other, for: anna) == .ok)
        let status = try await server.status(try await lastSession())
        #expect(status.status == .succeeded && status.outcome.userID == "anna-ext")
    }

    @Test("A request that is not answered is unknown: nothing is stored of it")
    func unanswered() async throws {
        let before = try await server.auditTexts().count
        let request = try await server.authenticationRequest(for: "jeff")
        #expect(try await server.auditTexts().count == before)
        let answer = await server.answerAuthentication(try server.client.answer(request, with: [stage.phone]))
        #expect(answer.message.statusCode == .ok)
        #expect(try await server.status(try await lastSession()).status == .succeeded)
    }

    @Test("A refused answer has failed with its code and names no user; a success is none any more after a lock")
    func failure() async throws {
        let foreign = try SyntheticAuthenticator()
        let request = try await server.authenticationRequest(for: "jeff")
        let refused = await server.answerAuthentication(try server.client.answer(request, with: [foreign]))
        #expect(refused.message.statusCode == .unknownKeyID)
        let failed = try await server.status(try await refusedSession())
        #expect(failed.status == .failed && failed.outcome.uafStatus == .unknownKeyID)
        #expect(failed.outcome.userID == nil && failed.outcome.authenticators.isEmpty)
        _ = try await server.authenticate("jeff", with: stage.phone)
        let session = try await lastSession()
        try await server.services.users.lock(named: "jeff")
        let locked = try await server.status(session)
        #expect(locked.status == .failed && locked.outcome.uafStatus == .forbidden)
        #expect(locked.outcome.userID == nil && locked.outcome.authenticators.isEmpty)
    }

    @Test("What the statement that commits refuses has failed, too, and a replay changes nothing")
    func refusedByTheTransaction() async throws {
        let request = try await server.authenticationRequest(for: "jeff")
        let answer = try server.client.answer(request, with: [stage.phone])
        #expect(await server.answerAuthentication(answer).message.statusCode == .ok)
        let session = try await lastSession()
        #expect(await server.answerAuthentication(answer).message.statusCode == .requestInvalid)
        #expect(try await server.status(session).status == .succeeded)
        let registration = try await server.registrationRequest(for: stage.user)
        try await server.services.users.lock(named: "jeff")
        let late = try server.client.answer(registration, with: [SyntheticAuthenticator()])
        #expect(await server.answerRegistration(late) == .forbidden)
        let status = try await server.status(try await lastSession())
        #expect(status.status == .failed && status.outcome.uafStatus == .forbidden)
        #expect(status.outcome.authenticators.isEmpty)
    }

    @Test("A device that gives up leaves a failure with its codes")
    func report() async throws {
        let request = try await server.authenticationRequest(for: "jeff")
        let response = SendUAFResponse(
            uafResponse: String(decoding: try server.client.answer(request, with: []), as: UTF8.self),
            context: ResponseContext(asmStatus: .userCancelled, clientErrorCode: .userCancelled))
        _ = try await server.services.authenticationResponses.acceptResponse(response, client: ClientContext())
        let status = try await server.status(try await refusedSession())
        #expect(status.status == .failed && status.outcome.clientErrorCode == .userCancelled)
        #expect(status.outcome.asmStatus == .userCancelled)
    }
}
