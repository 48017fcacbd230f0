import BackendAPI
import LoadControl
import TestSupport
import Testing
import UAF

@testable import OpenID
@testable import ServerCore
@testable import UAFService

@Suite("S-M10: Services under load refuse before they do anything")
struct OverloadedServicesTests {
    private let load = LoadStage()

    /// The error of a service called for a request whose client has left; nil when it succeeds all the same.
    private func errorAfterEnd(
        _ body: () async throws(ServerError) -> Void
    ) async -> ServerError? {
        let lifetime = load.lifetime()
        lifetime.abandon()
        return await RequestLifetime.$current.withValue(lifetime) {
            do throws(ServerError) {
                try await body()
                return nil
            } catch {
                return error
            }
        }
    }

    @Test("A response whose request has ended is answered 503 and consumes nothing: sent again, it is accepted")
    func response() async throws {
        let phone = try SyntheticAuthenticator()
        let server = try await TestServer(authenticators: [phone], load: load.controller())
        let user = try await server.services.users.add(name: "jeff")
        let message = try server.client.answer(try await server.registrationRequest(for: user), with: [phone])
        let response = SendUAFResponse(uafResponse: String(decoding: message, as: UTF8.self))
        let error = await errorAfterEnd { () async throws(ServerError) in
            _ = try await server.services.registrationResponses.acceptResponse(response, client: ClientContext())
        }
        #expect(error == .overloaded(retryAfter: .seconds(1)))
        #expect(await server.answerRegistration(message) == .ok)
        #expect(await server.answerRegistration(message) != .ok)
    }

    @Test("A token whose redemption is refused for overload is still good")
    func redemption() async throws {
        let server = try await TestServer(authenticators: [try SyntheticAuthenticator()], load: load.controller())
        let token = try #require(try await server.dispatch(nil, by: .link).token)
        let error = await errorAfterEnd { () async throws(ServerError) in
            _ = try await server.services.redemption.redeem(
                RedeemRequest(token: token), for: .authentication, client: ClientContext())
        }
        #expect(error == .overloaded(retryAfter: .seconds(1)))
        #expect(await server.redeem(token).statusCode == .ok)
    }

    @Test("Where as many wait for a change as may, one more question is answered at once", .timeLimit(.minutes(10)))
    func statusWaits() async throws {
        // No test ends a wait on this pause.
        let server = try await TestServer(
            authenticators: [try SyntheticAuthenticator()], load: load.controller { $0.statusWaits = 0 },
            pause: UntimedPause())
        let session = try #require(try await server.dispatch(nil, by: .link).sessionID)
        let request = StatusRequest(sessionID: session, after: .tokenCreated, wait: 30_000)
        let status = try await server.services.status.status(request, authorization: TestServer.portal)
        #expect(status.status == .tokenCreated)
        #expect(load.shed == ["status_waits full"])
    }

    @Test("However many wait, they look at the database some thousand times a second, and each of them once at most")
    func statusLooks() {
        for (count, seconds) in [(1, 1), (1_000, 1), (1_999, 1), (10_000, 10), (1_000_000, 1_000)] {
            #expect(StatusPolling.interval(waiting: count) == .seconds(seconds))
        }
    }

    @Test(
        "Where as many wait as may, an order that there is not is answered as one that is not taken: at once",
        .timeLimit(.minutes(10)))
    func pretendedWaits() async throws {
        let server = try await TestServer(
            authenticators: [try SyntheticAuthenticator()], load: load.controller { $0.statusWaits = 0 },
            pause: UntimedPause())
        let client = Initiator.client(try #require(ClientID("shop")))
        let confirmations = Confirmations(server.services, transactions: server.openID)
        let begun = try await confirmations.begin(
            ConfirmationOrder(initiator: client, channel: .code(nil)), client: ClientContext())
        for id in [begun.id, CeremonyID(from: SystemRandomSource())] {
            let state = try await confirmations.state(
                of: id, for: client, unlike: .waiting, atMost: .seconds(30), pretendedUntil: begun.expiresAt)
            #expect(state == .waiting)
        }
        #expect(load.shed == ["status_waits full", "status_waits full"])
    }

    @Test("A question whose client has closed its side of the connection waits for nothing", .timeLimit(.minutes(10)))
    func statusDeparture() async throws {
        let server = try await TestServer(
            authenticators: [try SyntheticAuthenticator()], load: load.controller(), pause: UntimedPause())
        let session = try #require(try await server.dispatch(nil, by: .link).sessionID)
        let request = StatusRequest(sessionID: session, after: .tokenCreated, wait: 30_000)
        let lifetime = load.lifetime()
        lifetime.halfClose()
        let status = try await RequestLifetime.$current.withValue(lifetime) {
            try await server.services.status.status(request, authorization: TestServer.portal)
        }
        #expect(status.status == .tokenCreated && load.depth(of: .statusWaits) == 0)
    }

    @Test("While as many push messages are on their way as may be, a further dispatch begins nothing; links go on")
    func deliveries() async throws {
        let server = try await TestServer(
            authenticators: [try SyntheticAuthenticator()], load: load.controller { $0.deliveries = 0 })
        let user = try await server.services.users.add(name: "jeff")
        let target = try await server.addTarget(of: user, on: SyntheticDevice())
        await #expect(throws: ServerError.overloaded(retryAfter: .seconds(1))) {
            _ = try await server.dispatch(to: target)
        }
        #expect(server.push.parcels.isEmpty && load.shed == ["deliveries full"])
        #expect(try await server.dispatch(by: .link).token != nil)
    }
}
