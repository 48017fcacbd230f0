import BackendAPI
import DemoCommands
import DeviceCommands
import Foundation
import MobileAuthentication
import MobileAuthenticationTestKit
import TestSupport
import Testing
import UAF

@Suite(
    "A phone and a server that meet out of band, over TLS", .serialized,
    .enabled(if: ForeignQRReader.isInstalled, "\(ForeignQRReader.absence)"))
struct OutOfBandStoryTests {
    private static func user(typing digits: String? = nil) async -> ScriptedUser {
        let user = ScriptedUser(pin: Installation.pin)
        await MainActor.run { user.digits = digits }
        return user
    }

    // MARK: - Registration

    @Test(
        "A code that the server drew and foreign code read registers a phone; its picture is worth nothing afterwards")
    func registration() async throws {
        let stage = try await OutOfBandStage(users: ["anna"])
        let (phone, portal) = (try await stage.phone(), stage.portal)
        let answer = try await portal.register("anna", by: .pngQRCode)
        let (code, session) = (try answer.scanned(), try #require(answer.sessionID))
        #expect(try await portal.status(session).status == .tokenCreated)

        async let next = portal.status(session, after: .tokenCreated)
        let user = await Self.user()
        try await phone.register(scanning: code, DeviceInformation(name: "Anna's phone"), by: user)
        // The server has let the portal wait until the phone came.
        #expect(try await [.clientRegistering, .succeeded].contains(next.status))

        let status = try await portal.status(session, after: .clientRegistering)
        #expect(status.status == .succeeded && status.outcome.uafStatus == .ok)
        #expect(status.outcome.authenticators.map(\.credential.aaid.text) == ["F1D0#1001"])
        #expect(status.tokenInformation?.result == .redeemed)
        #expect(try await portal.targets(of: "anna").map(\.id) == [try phone.target(of: "anna")])
        #expect(try await portal.targets(of: "anna").map(\.name.text) == ["Anna's phone"])

        // A person who photographed the screen comes too late, and changes nothing.
        let other = try await stage.phone("other")
        await #expect {
            try await other.register(scanning: code, DeviceInformation(name: "thief"), by: user)
        } throws: { error in if case OutOfBandOperationError.TokenAlreadyRedeemed = error { true } else { false } }
        #expect(try await portal.status(session).status == .succeeded)
    }

    @Test("A code with a link registers as well, and a second authenticator of the phone joins its record")
    func secondAuthenticator() async throws {
        let stage = try await OutOfBandStage(users: ["anna"])
        let phone = try await stage.phone()
        let link = try await stage.portal.register("anna", by: .linkPNGQRCode).scanned()
        #expect(link.hasPrefix("signet://open?"))
        try await phone.register(
            scanning: try DispatchAnswer.payload(inLink: link), DeviceInformation(name: "phone"),
            by: await Self.user())
        let target = try phone.target(of: "anna")

        let further = ScriptedUser(pin: Installation.pin, authenticator: .Password)
        let code = try await stage.portal.register("anna", by: .link).linked()
        try await phone.register(scanning: code, DeviceInformation(name: "ignored"), by: further)
        #expect(try phone.target(of: "anna") == target)
        #expect(try await stage.portal.targets(of: "anna").map(\.name.text) == ["phone"])
        #expect(phone.models.sorted() == ["F1D0#1001", "F1D0#1005"])
        #expect(await phone.operations.deviceInformationCheck.perform().mismatches.isEmpty)
    }

    // MARK: - Authentication

    @Test("A link that is sealed for the phone authenticates, and the portal is told who it was")
    func link() async throws {
        let stage = try await OutOfBandStage(users: ["anna"])
        let (phone, target) = try await stage.registered("anna")
        let stranger = try await stage.registered("anna", "stranger").phone
        let answer = try await stage.portal.authenticate("anna", at: target, by: .link)
        let session = try #require(answer.sessionID)
        let payload = try phone.payload(scanning: try answer.linked())
        #expect(payload.contentType == .jose)

        // Another phone cannot read it, and the token is not spent by trying.
        await #expect {
            _ = try await stranger.redeem(payload)
        } throws: { error in if case OutOfBandOperationError.DecryptionError = error { true } else { false } }

        async let first = stage.portal.status(session, after: .tokenCreated)
        let authentication = try await phone.redeem(payload)
        #expect(try await first.status == .clientAuthenticating)
        async let second = stage.portal.status(session, after: .clientAuthenticating)
        try await phone.answer(authentication, by: await Self.user())
        let status = try await second
        #expect(status.status == .succeeded && status.outcome.uafStatus == .ok)
        #expect(status.outcome.authenticators.map(\.credential.aaid.text) == ["F1D0#1001"])
        #expect(status.tokenInformation?.dispatchTargetExternalID != nil)
        #expect(try await stage.portal.redeem(try #require(answer.token)) == .requestInvalid)
    }

    @Test("A link for anyone can be read by everyone, and answered by the one whose key signs")
    func openLink() async throws {
        let stage = try await OutOfBandStage(users: ["anna"])
        let phone = try await stage.registered("anna").phone
        let answer = try await stage.portal.authenticate("anna", by: .link)
        let payload = try phone.payload(scanning: try answer.linked())
        #expect(payload.contentType == .json)
        try await phone.answer(payload, by: await Self.user())
        let session = try #require(answer.sessionID)
        #expect(try await stage.portal.status(session, after: .tokenCreated).status == .succeeded)
        await #expect {
            _ = try await phone.redeem(payload)
        } throws: { error in if case OutOfBandOperationError.TokenAlreadyRedeemed = error { true } else { false } }
    }

    @Test(
        "Digits are compared where the portal wants that, and each of the phone's users may answer where none is named")
    func comparison() async throws {
        let stage = try await OutOfBandStage(users: ["anna", "bert"])
        let (phone, _) = try await stage.registered("anna")
        try await phone.register(
            scanning: try await stage.portal.register("bert", by: .pngQRCode).scanned(),
            DeviceInformation(name: "phone"), by: await Self.user())
        let answer = try await stage.portal.authenticate(nil, by: .linkPNGQRCode, linking: .compare)
        let digits = try #require(answer.channelLinking?.digits)
        let code = try DispatchAnswer.payload(inLink: try answer.scanned())
        let user = await Self.user(typing: digits)
        await MainActor.run { user.username = "bert" }
        try await phone.answer(try phone.payload(scanning: code), by: user)
        #expect(await user.prompts.first { $0.kind == .selectAccount }?.choices.sorted() == ["anna", "bert"])
        let status = try await stage.portal.status(try #require(answer.sessionID))
        let ofBert = try await stage.portal.authenticate("bert", at: try phone.target(of: "bert"), by: .link)
        try await phone.answer(try phone.payload(scanning: try ofBert.linked()), by: await Self.user())
        let known = try await stage.portal.status(try #require(ofBert.sessionID))
        #expect(status.status == .succeeded && status.outcome.userID == known.outcome.userID)
    }

    // MARK: - Push

    @Test("A pushed payment is confirmed with the digits of the screen; the push service reads nothing of it")
    func push() async throws {
        let stage = try await OutOfBandStage(users: ["anna"])
        let token = try await stage.sink.registrationToken()
        let (phone, target) = try await stage.registered("anna", push: token)
        let text = "Pay CHF 120.50 to Bob\nfor the boat"
        let answer = try await stage.portal.authenticate(
            "anna", at: target, by: .firebaseCloudMessaging, confirming: text, title: "Confirm payment")
        let digits = try #require(answer.channelLinking?.digits)
        let message = try await stage.sink.message(for: token)
        #expect(message.title == "Confirm payment")

        let seen = try await stage.sink.sightings()
        for secret in [try #require(answer.token), "120.50", "/token/redeem"] { #expect(!seen.contains(secret)) }

        let user = await Self.user(typing: digits)
        try await phone.answer(try phone.payload(pushed: message), by: user)
        let prompts = await user.prompts
        #expect(prompts.filter { $0.transaction != nil }.allSatisfy { $0.transaction == text })
        #expect(prompts.contains { $0.kind == .linkChannel && $0.digitCount == digits.utf8.count })
        #expect(prompts.contains { $0.transaction == text })
        let status = try await stage.portal.status(try #require(answer.sessionID))
        #expect(status.status == .succeeded)
    }

    @Test("Wrong digits end the operation: neither the right ones nor the same push help afterwards")
    func wrongDigits() async throws {
        let stage = try await OutOfBandStage(users: ["anna"])
        let token = try await stage.sink.registrationToken()
        let (phone, target) = try await stage.registered("anna", push: token)
        let answer = try await stage.portal.authenticate("anna", at: target, by: .firebaseCloudMessaging)
        let digits = try #require(answer.channelLinking?.digits)
        let message = try await stage.sink.message(for: token)
        let payload = try phone.payload(pushed: message)
        let wrong = await Self.user(typing: digits == "00" ? "11" : "00")
        await #expect {
            try await phone.answer(payload, by: wrong)
        } throws: { error in
            ((error as? AuthenticationError)?.cause as? ServerStatus)?.code == 1498
        }
        let status = try await stage.portal.status(try #require(answer.sessionID))
        #expect(status.status == .failed && status.outcome.authenticators.isEmpty)
        await #expect {
            _ = try await phone.redeem(payload)
        } throws: { error in if case OutOfBandOperationError.TokenAlreadyRedeemed = error { true } else { false } }

        // The next one is a new operation with digits of its own.
        let again = try await stage.portal.authenticate("anna", at: target, by: .firebaseCloudMessaging)
        let next = try await stage.sink.message(for: token, after: message.number)
        try await phone.answer(
            try phone.payload(pushed: next), by: await Self.user(typing: try #require(again.channelLinking?.digits)))
        #expect(try await stage.portal.status(try #require(again.sessionID)).status == .succeeded)
    }

    @Test("A push that got lost is found among what is pending; what was answered is pending no more")
    func lostPush() async throws {
        let stage = try await OutOfBandStage(users: ["anna"])
        let token = try await stage.sink.registrationToken()
        let (phone, target) = try await stage.registered("anna", push: token)
        #expect(await phone.operations.pendingOutOfBandOperations.perform().operations.isEmpty)
        let answer = try await stage.portal.authenticate(
            "anna", at: target, by: .firebaseCloudMessaging, confirming: "Pay 1", title: "Confirm")
        let pending = await phone.operations.pendingOutOfBandOperations.perform()
        #expect(pending.errors.isEmpty)
        let operation = try #require(pending.operations.first)
        #expect(pending.operations.count == 1 && operation.dispatchChannel == .firebase)
        #expect(operation.additionalInformation.contains("Confirm"))
        try await phone.answer(
            operation.payload, by: await Self.user(typing: try #require(answer.channelLinking?.digits)))
        #expect(try await stage.portal.status(try #require(answer.sessionID)).status == .succeeded)
        let after = await phone.operations.pendingOutOfBandOperations.perform()
        #expect(after.operations.isEmpty && after.errors.isEmpty)
    }

    @Test("A user who denies and reports ends the operation, and after two reports they are not asked for a while")
    func denial() async throws {
        let stage = try await OutOfBandStage(users: ["anna"])
        let token = try await stage.sink.registrationToken()
        let (phone, target) = try await stage.registered("anna", push: token)
        var number = 0
        for _ in 0..<2 {
            let answer = try await stage.portal.authenticate("anna", at: target, by: .firebaseCloudMessaging)
            let message = try await stage.sink.message(for: token, after: number)
            number = message.number
            let user = await Self.user()
            await user.next(.denyAndReport)
            await #expect {
                try await phone.answer(try phone.payload(pushed: message), by: user)
            } throws: { error in (error as? AuthenticationError)?.isUserCancellation == true }
            let status = try await stage.portal.status(try #require(answer.sessionID))
            #expect(status.status == .failed && status.outcome.isReported)
            #expect(status.outcome.clientErrorCode == .userCancelled)
        }
        await #expect {
            _ = try await stage.portal.authenticate("anna", at: target, by: .firebaseCloudMessaging)
        } throws: { error in (error as? Portal.Refusal)?.status == 429 }
    }

    @Test("A push service that does not know the phone any more is believed, and a new token mends it")
    func forgottenPhone() async throws {
        let stage = try await OutOfBandStage(users: ["anna"])
        let (phone, target) = try await stage.registered("anna", push: try await stage.sink.registrationToken())
        try await stage.sink.behave("unregistered")
        let lost = try await stage.portal.authenticate("anna", at: target, by: .firebaseCloudMessaging)
        #expect(lost.result == .dispatchTargetExpired && lost.token == nil)
        #expect(await phone.operations.pendingOutOfBandOperations.perform().operations.isEmpty)
        let token = try await stage.sink.registrationToken()
        try await phone.operations.deviceInformationChange.fcmRegistrationToken(token).perform()
        let answer = try await stage.portal.authenticate("anna", at: target, by: .firebaseCloudMessaging)
        #expect(answer.result == .dispatched)
        _ = try await stage.sink.message(for: token)
    }
}
