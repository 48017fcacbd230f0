import BackendAPI
import ServerCore
import TestSupport
import Testing
import UAF

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

    @Test("SRV-5: Pushes used up by a stranger keep nobody from a QR code or from the application")
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

    @Test("SRV-7, A-8: A new dispatch takes the place of one by the same system, never of another's")
    func onePending() async throws {
        let stage = try await OutOfBandStage(change: Self.limited)
        let server = stage.server
        let first = try await server.dispatch(to: stage.target)
        let second = try await server.dispatch(to: stage.target)
        #expect(try await server.status(first.sessionID).status == .failed)
        #expect(await server.redeem(try #require(first.token)).statusCode == .notFound)
        let request = DispatchRequest(
            GetUAFRequest(AuthenticationContext(username: try server.name("jeff"))), dispatcher: .link)
        let attacker = InitiatorAuthorization.accessKey(try #require(AccessKeyName("other")))
        await #expect(throws: ServerError.self) {
            try await server.dispatch(request, for: .authentication, by: attacker)
        }
        #expect(try await server.status(second.sessionID).status == .tokenCreated)
        server.clock.advance(by: .seconds(120))
        #expect(try await server.dispatch(request, for: .authentication, by: attacker).result == .dispatched)
    }

    @Test("A-8: Of two initiators at the same moment one gets through")
    func race() async throws {
        let stage = try await OutOfBandStage(change: Self.limited)
        let server = stage.server
        let request = DispatchRequest(
            GetUAFRequest(AuthenticationContext(username: try server.name("jeff"))), dispatcher: .link)
        let dispatched = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<20 {
                group.addTask {
                    guard let name = AccessKeyName("key-\(number)") else { return false }
                    let answer = try? await server.dispatch(request, for: .authentication, by: .accessKey(name))
                    return answer?.result == .dispatched
                }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(dispatched == 1)
    }
}
