import BackendAPI
import DemoCommands
import Foundation
import MobileAuthentication
import MobileAuthenticationTestKit
import TestSupport
import Testing
import UAF

@Suite(
    "What does not lead to the end out of band, over TLS", .serialized,
    .enabled(if: ForeignQRReader.isInstalled, "\(ForeignQRReader.absence)"))
struct OutOfBandRefusalTests {
    private static let user = ScriptedUser(pin: Installation.pin)

    @Test(
        "A token that never comes and a phone that vanishes run out; a client that waits for the status is told at once"
    )
    func timeouts() async throws {
        let stage = try await OutOfBandStage(
            users: ["anna", "bert"], settings: ["authentication-token-lifetime: 10s"], responseTimeout: "10s")
        let portal = stage.portal
        let anna = try await stage.registered("anna").phone
        let bert = try await stage.registered("bert", "phone-of-bert").phone

        let ignored = try await portal.authenticate("anna", at: try anna.target(of: "anna"), by: .link)
        let redeemed = try await portal.authenticate("bert", at: try bert.target(of: "bert"), by: .link)
        let vanishing = try await bert.redeem(try bert.payload(scanning: try redeemed.linked()))
        async let first = portal.status(try #require(ignored.sessionID), after: .tokenCreated)
        async let second = portal.status(try #require(redeemed.sessionID), after: .clientAuthenticating)
        let (unheard, unanswered) = (try await first, try await second)
        #expect(unheard.status == .failed && unheard.tokenInformation?.result == .timedOut)
        #expect(unanswered.status == .failed && unanswered.tokenInformation?.result == .redeemed)

        await #expect {
            _ = try await anna.redeem(try anna.payload(scanning: try ignored.linked()))
        } throws: { error in if case OutOfBandOperationError.TokenExpired = error { true } else { false } }
        await #expect {
            try await bert.answer(vanishing, by: Self.user)
        } throws: { error in (error as? AuthenticationError)?.fidoErrorCode == .userNotResponsive }
        #expect(await anna.operations.pendingOutOfBandOperations.perform().operations.isEmpty)
    }

    @Test("Of a hundred who redeem at the same time one gets the request; of two phones with one code one registers")
    func races() async throws {
        let stage = try await OutOfBandStage(users: ["anna", "bert"])
        let portal = stage.portal
        let phone = try await stage.registered("anna").phone
        let answer = try await portal.authenticate("anna", at: try phone.target(of: "anna"), by: .link)
        let token = try #require(answer.token)
        let statuses = try await withThrowingTaskGroup(of: StatusCode.self) { group in
            for _ in 0..<100 { group.addTask { try await portal.redeem(token) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.count { $0 == .ok } == 1)
        #expect(statuses.count { $0 == .requestInvalid } == 99)

        let code = try await portal.register("bert", by: .pngQRCode).scanned()
        let phones = [try await stage.phone("one"), try await stage.phone("two")]
        let registered = await withTaskGroup(of: Bool.self) { group in
            for phone in phones {
                group.addTask {
                    let user = ScriptedUser(pin: Installation.pin)
                    do {
                        try await phone.register(scanning: code, DeviceInformation(name: "phone"), by: user)
                        return true
                    } catch {
                        return false
                    }
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(registered == 1)
        #expect(try await portal.targets(of: "bert").count == 1)
    }

    @Test(
        "A push service that refuses or is gone is told of in the answer; nothing stays behind, and the next one works")
    func pushService() async throws {
        let stage = try await OutOfBandStage(users: ["anna"])
        let token = try await stage.sink.registrationToken()
        let (phone, target) = try await stage.registered("anna", push: token)
        try await stage.sink.behave("refused")
        let refused = try await stage.portal.authenticate("anna", at: target, by: .firebaseCloudMessaging)
        #expect(refused.result == .dispatchError && refused.token == nil && refused.sessionID == nil)
        #expect(await phone.operations.pendingOutOfBandOperations.perform().operations.isEmpty)
        let works = try await stage.portal.authenticate("anna", at: target, by: .firebaseCloudMessaging)
        let message = try await stage.sink.message(for: token)
        let typing = ScriptedUser(pin: Installation.pin)
        let digits = try #require(works.channelLinking?.digits)
        await MainActor.run { typing.digits = digits }
        try await phone.answer(try phone.payload(pushed: message), by: typing)

        await stage.sink.stop()
        let gone = try await stage.portal.authenticate("anna", at: target, by: .firebaseCloudMessaging)
        #expect(gone.result == .dispatchError && gone.token == nil)
        let link = try await stage.portal.authenticate("anna", at: target, by: .link)
        try await phone.answer(try phone.payload(scanning: try link.linked()), by: Self.user)
        #expect(try await stage.portal.status(try #require(link.sessionID)).status == .succeeded)
    }

    @Test("A user who mistypes three times is left in peace for a while; other users are not")
    func guessing() async throws {
        let stage = try await OutOfBandStage(users: ["anna", "bert"])
        let (phone, target) = try await stage.registered("anna")
        for _ in 0..<3 {
            let answer = try await stage.portal.authenticate("anna", at: target, by: .link, linking: .typed)
            let digits = try #require(answer.channelLinking?.digits)
            let wrong = ScriptedUser(pin: Installation.pin)
            await MainActor.run { wrong.digits = digits == "00" ? "11" : "00" }
            let payload = try phone.payload(scanning: try answer.linked())
            await #expect(throws: AuthenticationError.self) { try await phone.answer(payload, by: wrong) }
        }
        await #expect {
            _ = try await stage.portal.authenticate("anna", at: target, by: .link, linking: .typed)
        } throws: { error in (error as? Portal.Refusal)?.status == 429 }
        #expect(try await stage.portal.authenticate("bert", by: .link).result == .dispatched)
    }
}
