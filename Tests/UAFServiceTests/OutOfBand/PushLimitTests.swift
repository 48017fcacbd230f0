import BackendAPI
import ServerCore
import TestSupport
import Testing
import UAF
import UAFService

@Suite("Out of band: how often a user is asked (SRV-7, A-7, A-8)")
struct PushLimitTests {
    private static func limited(_ settings: inout ServerSettings) {
        settings.outOfBand.limits = OperationLimits()
        settings.outOfBand.limits.backOff.firstWait = .zero
    }

    @Test("SRV-7, A-7: Of fifty dispatches in a minute no more than the limit reach the phone")
    func bombing() async throws {
        let stage = try await OutOfBandStage(change: Self.limited)
        var refused = 0
        for _ in 0..<50 {
            do {
                _ = try await stage.server.dispatch(to: stage.target)
            } catch ServerError.tooManyOperations(let wait) {
                #expect(wait > .zero && wait <= .seconds(600))
                refused += 1
            }
            stage.server.clock.advance(by: .seconds(1))
        }
        #expect(stage.server.push.parcels.count == 5 && refused == 45)
        #expect(try await stage.server.auditKinds().count { $0 == "DISPATCH_REFUSED" } == 45)
        stage.server.clock.advance(by: .seconds(600))
        #expect(try await stage.server.dispatch(to: stage.target).result == .dispatched)
    }

    @Test("SRV-7: Pushes are counted since the user last succeeded")
    func success() async throws {
        let stage = try await OutOfBandStage(change: Self.limited)
        for _ in 0..<12 {
            let (_, request) = try await stage.redeemed()
            #expect(try await stage.server.answer(request, with: stage.phone).message.statusCode == .ok)
        }
        #expect(stage.server.push.parcels.count == 12)
    }

    @Test("SRV-5: Pushes used up by a stranger keep no user from a QR code or from the application")
    func noLockout() async throws {
        let stage = try await OutOfBandStage(change: Self.limited)
        for _ in 0..<6 { _ = try? await stage.server.dispatch(to: stage.target) }
        await #expect(throws: ServerError.self) { try await stage.server.dispatch(to: stage.target) }
        #expect(try await stage.server.dispatch(by: .link).result == .dispatched)
        #expect(try await stage.server.authenticate("jeff", with: stage.phone).message.statusCode == .ok)
    }

    @Test("SRV-6: Twenty users are asked at the same time, and none is refused")
    func parallelUsers() async throws {
        let stage = try await OutOfBandStage(change: Self.limited)
        let server = stage.server
        var names: [String] = []
        for number in 0..<20 {
            names.append(try await server.services.users.add(name: "user-\(number)").name.text)
        }
        let results = try await withThrowingTaskGroup(of: DispatchResult.self) { group in
            for name in names { group.addTask { try await server.dispatch(name, by: .link).result } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(results.count { $0 == .dispatched } == 20)
    }

    private func request(to target: String? = nil, session: String? = nil) throws -> DispatchRequest {
        DispatchRequest(
            GetUAFRequest(AuthenticationContext(username: UserName("jeff"))),
            dispatcher: target == nil ? .link : nil, dispatchTargetID: target, initiatorSession: session)
    }

    private func key(_ name: String) throws -> InitiatorAuthorization { .accessKey(try #require(AccessKeyName(name))) }

    @Test("SRV-7, A-8: A new push takes the place of one by the same system, never of another's")
    func onePending() async throws {
        let stage = try await OutOfBandStage(change: Self.limited)
        let server = stage.server
        let first = try await server.dispatch(to: stage.target)
        let second = try await server.dispatch(to: stage.target)
        #expect(try await server.status(first.sessionID).status == .failed)
        #expect(await server.redeem(try #require(first.token)).statusCode == .notFound)
        let push = try request(to: stage.target)
        await #expect(throws: ServerError.self) {
            try await server.dispatch(push, for: .authentication, by: key("other"))
        }
        #expect(try await server.status(second.sessionID).status == .tokenCreated)
        server.clock.advance(by: .seconds(120))
        #expect(try await server.dispatch(push, for: .authentication, by: key("other")).result == .dispatched)
    }

    @Test(
        "A-8: Who begins operations in a user's name calls off none of theirs: not by link, push or another session")
    func attacker() async throws {
        let stage = try await OutOfBandStage(change: Self.limited)
        let server = stage.server
        let push = try await server.dispatch(request(to: stage.target, session: "owner"), for: .authentication)
        let link = try await server.dispatch(request(session: "owner"), for: .authentication)
        for session in ["thief", nil] {
            await #expect(throws: ServerError.self) {
                try await server.dispatch(request(to: stage.target, session: session), for: .authentication)
            }
            #expect(try await server.dispatch(request(session: session), for: .authentication).result == .dispatched)
        }
        #expect(try await server.dispatch(request(), for: .authentication, by: key("other")).result == .dispatched)
        #expect(try await server.status(push.sessionID).status == .tokenCreated)
        #expect(try await server.status(link.sessionID).status == .tokenCreated)
    }

    @Test("A-8: In the same session of the same system a new link takes the place of the old one, and a push of a push")
    func sameSession() async throws {
        let stage = try await OutOfBandStage(change: Self.limited)
        let server = stage.server
        for target in [nil, stage.target] {
            let old = try await server.dispatch(request(to: target, session: "owner"), for: .authentication)
            let new = try await server.dispatch(request(to: target, session: "owner"), for: .authentication)
            #expect(try await server.status(old.sessionID).status == .failed)
            #expect(try await server.status(new.sessionID).status == .tokenCreated)
        }
    }

    @Test("A-8: Five links and codes are pending at most, and the sixth is told when there is room")
    func fivePending() async throws {
        let stage = try await OutOfBandStage(change: Self.limited)
        let server = stage.server
        for _ in 0..<5 { _ = try await server.dispatch(by: .link) }
        await #expect(throws: ServerError.tooManyOperations(retryAfter: .seconds(120))) {
            try await server.dispatch(by: .link)
        }
        #expect(try await server.dispatch(to: stage.target).result == .dispatched, "a push has a place of its own")
        server.clock.advance(by: .seconds(120))
        #expect(try await server.dispatch(by: .link).result == .dispatched)
    }

    @Test("A-8: Links that one system has begun take no place of another system or of the user")
    func pendingOfOthers() async throws {
        let stage = try await OutOfBandStage(change: Self.limited)
        let server = stage.server
        for _ in 0..<5 { _ = try await server.dispatch(by: .link) }
        #expect(try await server.dispatch(request(), for: .authentication, by: key("other")).result == .dispatched)
        let own = InitiatorAuthorization.user(
            .init(user: stage.user, methods: [.fidoUAF], evidence: .init(authenticatedAt: server.clock.now())))
        #expect(try await server.dispatch(request(), for: .authentication, by: own).result == .dispatched)
    }

    @Test("A-8: Of twenty windows of a system at the same moment as many get through as there are places")
    func race() async throws {
        let stage = try await OutOfBandStage(change: Self.limited)
        let server = stage.server
        let dispatched = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<20 {
                let request = try request(session: "window \(number)")
                group.addTask {
                    let answer = try? await server.dispatch(request, for: .authentication)
                    return answer?.result == .dispatched
                }
            }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(dispatched == 5)
    }
}
