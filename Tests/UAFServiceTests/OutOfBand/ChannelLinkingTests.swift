import BackendAPI
import ServerCore
import TestSupport
import Testing
import UAF
import UAFService

@Suite("Out of band: channel linking (decisions 7)")
struct ChannelLinkingTests {
    private func stage() async throws -> OutOfBandStage {
        try await OutOfBandStage { $0.outOfBand.linking.push = .typed }
    }

    private func other(than digits: String) -> String { digits == "00" ? "01" : "00" }

    @Test("SRV-8: Pushes ask for digits by default, which only the initiator gets to know")
    func digitsTravel() async throws {
        let stage = try await stage()
        let answer = try await stage.server.dispatch(to: stage.target)
        let shown = try #require(answer.channelLinking)
        #expect(shown.mode == .typed && shown.digits.utf8.count == 2)
        let parcel = try #require(stage.server.push.parcels.last)
        let content = try stage.device.content(of: parcel)
        #expect(content.channelLinking == .typed(length: 2))
        #expect(content.channelLinking?.digits == nil)
        let request = await stage.server.redeem(content.token)
        let accepted = try await stage.server.answer(request, with: stage.phone, digits: shown.digits)
        #expect(accepted.message.statusCode == .ok)
        #expect(try await stage.server.status(answer.sessionID).status == .succeeded)
    }

    @Test("SRV-8: Wrong and missing digits end the operation with 1498", arguments: [true, false])
    func wrongDigits(sends: Bool) async throws {
        let stage = try await stage()
        let (answer, request) = try await stage.redeemed()
        let right = try #require(answer.channelLinking?.digits)
        let wrong = try await stage.server.answer(
            request, with: stage.phone, digits: sends ? other(than: right) : nil)
        #expect(wrong.message.statusCode == .unacceptableContent)
        #expect(wrong.message.token(.jwt) == nil && wrong.cookie == nil)
        #expect(try await stage.server.status(answer.sessionID).status == .failed)
        let late = try await stage.server.answer(request, with: stage.phone, digits: right)
        #expect(late.message.statusCode == .requestInvalid)
        #expect(try await stage.server.auditKinds().contains("CHANNEL_NOT_LINKED"))
    }

    @Test("SRV-8: Wrong digits count over operations: new digits begin no new count")
    func countedFailures() async throws {
        let stage = try await stage()
        for _ in 0..<3 {
            let (answer, request) = try await stage.redeemed()
            let right = try #require(answer.channelLinking?.digits)
            #expect(try await !stage.server.auditKinds().contains("USER_THROTTLED"))
            _ = try await stage.server.answer(request, with: stage.phone, digits: other(than: right))
        }
        #expect(try await stage.server.auditKinds().count { $0 == "USER_THROTTLED" } == 1)
        await #expect(throws: ServerError.self) { try await stage.server.dispatch(to: stage.target) }
        stage.server.clock.advance(by: .seconds(601))
        #expect(try await stage.server.dispatch(to: stage.target).result == .dispatched)
    }

    @Test("SRV-3: Of all digits sent to one operation at the same time one try is judged")
    func parallelGuesses() async throws {
        let stage = try await stage()
        let (answer, request) = try await stage.redeemed()
        let right = try #require(answer.channelLinking?.digits)
        let server = stage.server
        let phone = stage.phone
        let statuses = try await withThrowingTaskGroup(of: StatusCode.self) { group in
            for number in 10..<60 where String(number) != right {
                group.addTask {
                    try await server.answer(request, with: phone, digits: String(number)).message.statusCode
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.count { $0 == .unacceptableContent } == 1)
        #expect(statuses.allSatisfy { $0 == .unacceptableContent || $0 == .requestInvalid })
        #expect(try await stage.server.auditKinds().count { $0 == "CHANNEL_NOT_LINKED" } == 1)
    }

    @Test("SRV-11: Wrong digits and a wrong signature are told alike")
    func indistinguishable() async throws {
        let stage = try await stage()
        let (first, one) = try await stage.redeemed()
        let right = try #require(first.channelLinking?.digits)
        let digits = try await stage.server.answer(one, with: stage.phone, digits: other(than: right))
        let (_, two) = try await stage.redeemed()
        guard case .authentication(let message) = try TestServer.request(two) else { return }
        let spoiled = try stage.server.client.answer(
            message, with: [stage.phone], spoiling: SyntheticFault(signature: { $0[$0.count - 1] ^= 1 }))
        let signature = await stage.server.answerAuthentication(spoiled)
        #expect(digits.message.statusCode == signature.message.statusCode)
        #expect(digits.message.body == signature.message.body)
    }

    @Test("SRV-8: A dispatch may not choose a weaker way than the policy allows")
    func policy() async throws {
        let stage = try await OutOfBandStage {
            $0.outOfBand.linking.push = .typed
            $0.outOfBand.linking.scan = .compare
            $0.outOfBand.linking.weakest = .compare
        }
        await #expect(throws: ServerError.policyViolation) {
            try await stage.server.dispatch(to: stage.target, linking: ChannelLinkingMethod.none)
        }
        let answer = try await stage.server.dispatch(to: stage.target, linking: .compare)
        let content = try stage.device.content(of: try #require(stage.server.push.parcels.last))
        #expect(content.channelLinking == answer.channelLinking.map { .compare($0.digits) })
        let request = await stage.server.redeem(content.token)
        #expect(try await stage.server.answer(request, with: stage.phone).message.statusCode == .ok)
    }

    @Test("SRV-8: A dispatch may not choose a weaker way for a push than pushes have to have; a code stays free")
    func pushPolicy() async throws {
        let stage = try await OutOfBandStage {
            $0.outOfBand.linking.push = .typed
            $0.outOfBand.linking.weakestPush = .typed
        }
        for weaker in [ChannelLinkingMethod.none, .compare] {
            await #expect(throws: ServerError.policyViolation) {
                try await stage.server.dispatch(to: stage.target, linking: weaker)
            }
        }
        #expect(try await stage.server.dispatch(to: stage.target).channelLinking?.mode == .typed)
        let policy = stage.server.services.settings.outOfBand.linking
        #expect(policy.allows(.none, forPush: false) && !policy.allows(.compare, forPush: true))
    }
}
