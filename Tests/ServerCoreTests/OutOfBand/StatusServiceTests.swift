import BackendAPI
import ServerCore
import TestSupport
import Testing
import UAF

@Suite("Status service (backend-http-api 3)")
struct StatusServiceTests {
    private let stage: OutOfBandStage

    init() async throws {
        stage = try await OutOfBandStage()
    }

    private var server: TestServer { stage.server }

    @Test("A session that nobody began is unknown, as is one that ended long ago")
    func unknown() async throws {
        #expect(try await server.status("b4b07559").status == .unknown)
        #expect(try await server.status(CeremonyID(from: server.random).text).status == .unknown)
        let (answer, request) = try await stage.redeemed()
        _ = try await server.answer(request, with: stage.phone)
        server.clock.advance(by: .milliseconds(299_999))
        #expect(try await server.status(answer.sessionID).status == .succeeded)
        server.clock.advance(by: .milliseconds(1))
        #expect(try await server.status(answer.sessionID).status == .unknown)
    }

    @Test("A phone that vanishes fails the session when its time is over; maintenance writes it down")
    func vanishedPhone() async throws {
        let (answer, request) = try await stage.redeemed()
        server.clock.advance(by: .milliseconds(479_999))
        #expect(try await server.status(answer.sessionID).status == .clientAuthenticating)
        server.clock.advance(by: .milliseconds(1))
        #expect(try await server.status(answer.sessionID).status == .failed)
        await server.services.maintain()
        #expect(try await server.status(answer.sessionID).status == .failed)
        #expect(try await stage.lastKinds(1) == ["OPERATION_TIMED_OUT"])
        #expect(try await server.answer(request, with: stage.phone).message.statusCode == .requestInvalid)
        server.clock.advance(by: .seconds(301))
        await server.services.maintain()
        let rows = try await server.storage.operations.standing(of: try #require(CeremonyID(text: answer.sessionID!)))
        #expect(rows == nil)
    }

    @Test("A question with a wait is answered when the operation moves on")
    func longPolling() async throws {
        let server = server
        let answer = try await server.dispatch(to: stage.target)
        let request = StatusRequest(sessionID: try #require(answer.sessionID), after: .tokenCreated, wait: 30_000)
        async let next = server.services.status.status(request, authorization: .absent)
        #expect(await server.redeem(try #require(answer.token)).statusCode == .ok)
        #expect(try await next.status == .clientAuthenticating)
    }

    @Test("A question about an operation that another one takes the place of is answered then", .timeLimit(.minutes(1)))
    func superseded() async throws {
        let pause = PatientPause()
        let stage = try await OutOfBandStage(pause: pause)
        let server = stage.server
        let first = try await server.dispatch(to: stage.target)
        let request = StatusRequest(sessionID: try #require(first.sessionID), after: .tokenCreated, wait: 30_000)
        async let next = server.services.status.status(request, authorization: .absent)
        for await _ in pause.waits { break }
        _ = try await server.dispatch(to: stage.target)
        #expect(try await next.status == .failed)
    }

    @Test("A question with a wait about something else than is known is answered at once")
    func staleKnowledge() async throws {
        let answer = try await server.dispatch(to: stage.target)
        let request = StatusRequest(
            sessionID: try #require(answer.sessionID), after: .clientAuthenticating, wait: 30_000)
        #expect(try await server.services.status.status(request, authorization: .absent).status == .tokenCreated)
    }

    @Test("Where the configuration says so, strangers learn nothing")
    func protection() async throws {
        let strict = try await OutOfBandStage { $0.outOfBand.statusProtection = .required }
        let answer = try await strict.server.dispatch(to: strict.target)
        let request = StatusRequest(sessionID: try #require(answer.sessionID))
        for stranger in [InitiatorAuthorization.absent, .invalid] {
            await #expect(throws: ServerError.unauthorized) {
                try await strict.server.services.status.status(request, authorization: stranger)
            }
        }
        let status = try await strict.server.services.status.status(request, authorization: TestServer.portal)
        #expect(status.status == .tokenCreated)
    }
}
