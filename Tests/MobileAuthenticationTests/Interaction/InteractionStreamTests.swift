import MobileAuthenticationTestKit
import Testing

@testable import MobileAuthentication
@testable import UAFClient

@Suite("One engine, three ways to ask the user")
struct InteractionStreamTests {
    @Test("A stream brings every question of a registration, a change and a sign-in, in their order")
    func stream() async throws {
        let phone = try await TestPhone()
        let questions = InteractionStream()
        let answering = Task {
            var seen: [String] = []
            for await step in questions {
                switch step {
                case .selectAuthenticator(_, let handler):
                    seen.append("authenticator")
                    handler.aaid("F1D0#1001")
                case .enrollPin(_, let handler):
                    seen.append("new")
                    handler.pin("482915")
                case .changePin(_, let handler):
                    seen.append("change")
                    handler.pins("482915", "913746")
                case .verifyPin(_, let handler):
                    seen.append("pin")
                    handler.verify("913746")
                case .credentialsAccepted: seen.append("accepted")
                default: seen.append("other")
                }
            }
            return seen
        }
        let operations = phone.client.operations
        try await operations.registration.username("jeff").deviceInformation(DeviceInformation(name: "phone"))
            .interactions(questions).perform()
        try await operations.pinChange.username("jeff").interactions(questions).perform()
        _ = try await operations.authentication.username("jeff").interactions(questions).perform()
        questions.finish()
        #expect(
            await answering.value
                == ["authenticator", "new", "accepted", "change", "accepted", "authenticator", "pin", "accepted"])
    }

    @Test("A finished stream, and one whose reader went away, cancel at once")
    func noReader() async throws {
        let phone = try await TestPhone()
        let finished = InteractionStream()
        finished.finish()
        let abandoned = InteractionStream()
        let reader = Task { for await _ in abandoned {} }
        reader.cancel()
        await reader.value
        for stream in [finished, abandoned] {
            let error = await #expect(throws: OperationError.self) {
                try await phone.client.operations.registration.username("jeff")
                    .deviceInformation(DeviceInformation(name: "phone")).interactions(stream).perform()
            }
            #expect(error?.isUserCancellation == true)
        }
    }

    @Test("Closures answer as protocols do; throwing cancels")
    func closures() async throws {
        let phone = try await TestPhone()
        phone.backend.script { $0.aaids = ["F1D0#1005"] }
        let selector = AuthenticatorSelection.async { $0.authenticators.first?.aaid ?? "" }
        try await phone.client.operations.registration.username("jeff")
            .deviceInformation(DeviceInformation(name: "phone")).authenticatorSelector(selector)
            .passwordEnroller(PasswordEnrollment.async { _ in SecretBytes("correct horse") }).perform()
        try await phone.client.operations.passwordChange.username("jeff")
            .passwordChanger(
                PasswordReplacement.async { _ in (SecretBytes("correct horse"), SecretBytes("battery staple")) }
            ).perform()
        let verifier = PasswordUserVerification.async { _ in SecretBytes("battery staple") }
        _ = try await phone.client.operations.authentication.username("jeff").authenticatorSelector(selector)
            .passwordUserVerifier(verifier).perform()
        let error = await #expect(throws: AuthenticationError.self) {
            try await phone.client.operations.authentication.username("jeff").authenticatorSelector(selector)
                .passwordUserVerifier(PasswordUserVerification.async { _ in throw CancellationError() }).perform()
        }
        #expect(error?.isUserCancellation == true)
    }

    @Test("What the system verifies goes on when a closure returns, with its texts")
    func presenceClosures() async throws {
        let presence = TestPresence()
        let phone = try await TestPhone { $0.presence = presence }
        phone.backend.script { $0.aaids = ["F1D0#1002", "F1D0#1004"] }
        func register(_ username: String, _ aaid: String) async throws {
            try await phone.client.operations.registration.username(username)
                .deviceInformation(DeviceInformation(name: "phone"))
                .authenticatorSelector(AuthenticatorSelection.async { _ in aaid })
                .biometricUserVerifier(BiometricUserVerification.async { _ in .init(reason: "finger") })
                .devicePasscodeUserVerifier(DevicePasscodeUserVerification.async { _ in .init(reason: "passcode") })
                .perform()
        }
        try await register("jeff", "F1D0#1002")
        try await register("anna", "F1D0#1004")
        #expect(presence.reasons == ["finger", "passcode"])
    }

    @Test("The seconds of a cool-down are counted down to zero, and never end early")
    func coolDown() async throws {
        let clock = ManualClock()
        var ticks = try Fixtures.unwrap(CoolDown.stream(3, clock)).makeAsyncIterator()
        var seen: [Int] = []
        while let tick = await ticks.next() {
            seen.append(tick)
            if tick > 0 { await clock.advance(by: .seconds(1)) }
        }
        #expect(seen == [3, 2, 1, 0])
        #expect(PinAuthenticatorProtectionStatus.Unlocked.coolDown == nil)
        let quiet = PasswordAuthenticatorProtectionStatus.LastAttemptFailed(remainingTries: 4, coolDownTimeInSeconds: 0)
        #expect(quiet.coolDown == nil)
    }

    @Test("The stream of accounts begins with what there is and tells every change once")
    func accounts() async throws {
        let phone = try await TestPhone()
        var accounts = phone.client.localData.accountsStream.makeAsyncIterator()
        #expect(await accounts.next()?.isEmpty == true)
        try await phone.register()
        #expect(await accounts.next()?.map(\.username) == ["jeff"])
        _ = try await phone.authenticate()
        try await phone.client.localData.removeAuthenticator(username: "jeff", aaid: nil)
        #expect(await accounts.next()?.isEmpty == true)
    }
}
