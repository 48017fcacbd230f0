import BackendAPI
import OpenID
import ServerCore
import TestSupport
import Testing
import UAF
import UAFService

@Suite("Status service (backend-http-api 3)")
struct StatusServiceTests {
    private let stage: OutOfBandStage

    init() async throws {
        stage = try await OutOfBandStage()
    }

    private var server: TestServer { stage.server }

    @Test("A session that was not begun is unknown, as is one that ended long ago")
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
        let id = try #require(CeremonyID(text: answer.sessionID!))
        let row = try await server.storage.read { snapshot throws(ServerTransactionFailure) in
            try snapshot.operation(id)
        }
        #expect(row == nil)
    }

    @Test("A question with a wait is answered when the operation moves on")
    func longPolling() async throws {
        let server = server
        let answer = try await server.dispatch(to: stage.target)
        let request = StatusRequest(sessionID: try #require(answer.sessionID), after: .tokenCreated, wait: 30_000)
        async let next = server.services.status.status(request, authorization: TestServer.portal)
        #expect(await server.redeem(try #require(answer.token)).statusCode == .ok)
        #expect(try await next.status == .clientAuthenticating)
    }

    @Test(
        "A question about an operation that another one takes the place of is answered then", .timeLimit(.minutes(10)))
    func superseded() async throws {
        let pause = UntimedPause()
        let stage = try await OutOfBandStage(pause: pause)
        let server = stage.server
        let first = try await server.dispatch(to: stage.target)
        let request = StatusRequest(sessionID: try #require(first.sessionID), after: .tokenCreated, wait: 30_000)
        async let next = server.services.status.status(request, authorization: TestServer.portal)
        for await _ in pause.waits { break }
        _ = try await server.dispatch(to: stage.target)
        #expect(try await next.status == .failed)
    }

    @Test(
        "SA-16: When the server is about to stop, a wait ends with the present state, and none begins",
        .timeLimit(.minutes(10)))
    func finish() async throws {
        let pause = UntimedPause()
        let stage = try await OutOfBandStage(pause: pause)
        let services = stage.server.services
        let answer = try await stage.server.dispatch(to: stage.target)
        let request = StatusRequest(sessionID: try #require(answer.sessionID), after: .tokenCreated, wait: 30_000)
        async let next = services.status.status(request, authorization: TestServer.portal)
        for await _ in pause.waits { break }
        services.statusNotifier.finish()
        #expect(try await next.status == .tokenCreated)
        #expect(try await services.status.status(request, authorization: TestServer.portal).status == .tokenCreated)
    }

    @Test("A question with a wait about something else than is known is answered at once")
    func staleKnowledge() async throws {
        let answer = try await server.dispatch(to: stage.target)
        let request = StatusRequest(
            sessionID: try #require(answer.sessionID), after: .clientAuthenticating, wait: 30_000)
        #expect(
            try await server.services.status.status(request, authorization: TestServer.portal).status == .tokenCreated)
    }

    private func status(_ id: String?, by caller: InitiatorAuthorization) async throws -> SessionStatus.Status {
        try await server.services.status.status(StatusRequest(sessionID: try #require(id)), authorization: caller)
            .status
    }

    @Test("S-L8: Without authorization strangers learn nothing, unless the configuration opens the service")
    func protection() async throws {
        let answer = try await server.dispatch(to: stage.target)
        for stranger in [InitiatorAuthorization.absent, .invalid] {
            await #expect(throws: ServerError.unauthorized) { try await status(answer.sessionID, by: stranger) }
        }
        #expect(try await status(answer.sessionID, by: TestServer.portal) == .tokenCreated)
        let open = try await OutOfBandStage { $0.outOfBand.statusProtection = .none }
        let other = StatusRequest(sessionID: try #require(try await open.server.dispatch(to: open.target).sessionID))
        #expect(try await open.server.services.status.status(other, authorization: .absent).status == .tokenCreated)
        await #expect(throws: ServerError.unauthorized) {
            try await open.server.services.status.status(other, authorization: .invalid)
        }
    }

    @Test("S-L8: A system sees its own operations, a user those that are about them, an administrator all")
    func strangersSessions() async throws {
        let eve = try await server.services.users.add(name: "eve")
        let answer = try await server.dispatch(to: stage.target)
        let other = InitiatorAuthorization.accessKey(try #require(AccessKeyName("other")))
        #expect(try await status(answer.sessionID, by: other) == .unknown)
        let evidence = RequestAuthorization.Evidence(authenticatedAt: server.clock.now())
        let stranger = RequestAuthorization.Login(user: eve, methods: [.fidoUAF], evidence: evidence)
        let owner = RequestAuthorization.Login(user: stage.user, methods: [.password], evidence: evidence)
        #expect(try await status(answer.sessionID, by: .user(stranger)) == .unknown)
        #expect(try await status(answer.sessionID, by: .user(owner)) == .tokenCreated)
        #expect(try await status(answer.sessionID, by: .administrator) == .tokenCreated)
        #expect(try await status(answer.sessionID, by: TestServer.portal) == .tokenCreated)
    }

    @Test("S-L9: Where every caller may begin an authentication, no caller gets the list of a user's devices for that")
    func deviceList() async throws {
        let open = try await OutOfBandStage { $0.outOfBand.dispatchProtection = .none }
        let request = DispatchRequest(
            GetUAFRequest(AuthenticationContext(username: open.user.name)), dispatcher: .link)
        #expect(try await open.server.dispatch(request, for: .authentication, by: .absent).result == .dispatched)
        await #expect(throws: ServerError.unauthorized) {
            try await open.server.services.targets.list(of: open.user.name, authorization: .absent)
        }
        #expect(
            try await open.server.services.targets.list(of: open.user.name, authorization: TestServer.portal).entries
                .count == 1)
    }
}
