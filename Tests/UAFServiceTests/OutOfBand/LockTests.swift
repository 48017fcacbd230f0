import BackendAPI
import ServerCore
import TestSupport
import Testing
import UAF
import UAFService

@Suite("Out of band: lock and deletion at every step (S-LOCK)")
struct LockTests {
    @Test("SRV-4, A-12: Before the redemption: no success", arguments: Blow.ofPossession)
    func beforeRedemption(blow: Blow) async throws {
        let stage = try await OutOfBandStage { $0.uaf.hidesUnknownUsers = false }
        let answer = try await stage.server.dispatch(to: stage.target)
        try await blow.fall(on: stage)
        let request = await stage.server.redeem(try #require(answer.token))
        #expect(request.statusCode != .ok && request.uafRequest == nil)
        #expect(try await stage.server.status(answer.sessionID).status != .succeeded)
    }

    @Test("SRV-4, SRV-23: Between redemption and answer: no success", arguments: Blow.ofPossession)
    func beforeAnswer(blow: Blow) async throws {
        let stage = try await OutOfBandStage()
        let (answer, request) = try await stage.redeemed()
        try await blow.fall(on: stage)
        let accepted = try await stage.server.answer(request, with: stage.phone)
        #expect(accepted.message.statusCode != .ok)
        #expect(accepted.message.token(.jwt) == nil && accepted.cookie == nil)
        #expect(try await stage.server.status(answer.sessionID).status != .succeeded)
    }

    @Test("SRV-4: Between answer and question for the status: no success is shown", arguments: Blow.allCases)
    func beforeStatus(blow: Blow) async throws {
        let stage = try await OutOfBandStage()
        let (answer, request) = try await stage.redeemed()
        #expect(try await stage.server.answer(request, with: stage.phone).message.statusCode == .ok)
        #expect(try await stage.server.status(answer.sessionID).status == .succeeded)
        try await blow.fall(on: stage)
        let status = try await stage.server.status(answer.sessionID)
        #expect(status.status == .failed || status.status == .unknown)
        #expect(status.outcome.userID == nil && status.outcome.authenticators.isEmpty)
    }

    @Test("SRV-4: For a locked user nothing is dispatched")
    func dispatchForLocked() async throws {
        let stage = try await OutOfBandStage()
        #expect(try await stage.server.dispatch(to: stage.target).result == .dispatched)
        try await stage.server.services.users.lock(named: "jeff")
        let parcels = stage.server.push.parcels.count
        #expect(try await stage.server.dispatch(to: stage.target).result == .userNotFound)
        #expect(stage.server.push.parcels.count == parcels)
    }
}
