import Authenticators
import HardwareKeys
import MobileAuthenticationTestKit
import Testing

@testable import MobileAuthentication
@testable import UAFClient

@Suite("Fingers on devices where the application shows the sensor")
struct FingerprintListenerTests {
    private static let aaid = "FFFF#2102"

    private func phone(_ presence: TestPresence) async throws -> TestPhone {
        let phone = try await TestPhone {
            $0.presence = presence
            $0.profile = .linuxSoftware
        }
        phone.backend.script { $0.aaids = [Self.aaid] }
        return phone
    }

    @Test("A bad scan calls the verifier again with the reason")
    func badScan() async throws {
        let phone = try await phone(TestPresence([.fail(.mismatch), .pass]))
        let person = await TestUser(aaid: Self.aaid)
        try await phone.register(user: person)
        #expect(await person.announcements == ["fingerprint", "fingerprint"])
        let errors = await person.fingerErrors
        #expect(errors.count == 2)
        guard case .FingerprintNotRecognized = errors.last else {
            Issue.record("the reason was not told")
            return
        }
    }

    @Test("Pausing stops the sensor, resuming reads it again, and the operation goes on")
    func pause() async throws {
        let presence = TestPresence([.wait, .pass])
        let phone = try await phone(presence)
        let person = await TestUser(aaid: Self.aaid)
        async let end: Void = phone.register(user: person)
        while presence.gates.isEmpty { await Task.yield() }
        let control = try Fixtures.unwrap(await person.kept.first as? any OsAuthenticationListenHandler)
        control.pauseListening()
        for _ in 0..<200 { await Task.yield() }
        #expect(presence.gates.count == 1)
        control.resumeListening()
        control.resumeListening()
        try await end
        #expect(presence.gates.count == 2)
        control.cancelAuthentication()
    }

    @Test("Resuming before an interrupted scan has ended begins another one", .timeLimit(.minutes(10)))
    func resumeAtOnce() async throws {
        for _ in 0..<4 {
            let presence = TestPresence([.wait, .wait, .pass])
            let phone = try await phone(presence)
            let person = await TestUser(aaid: Self.aaid)
            async let end: Void = phone.register(user: person)
            for scan in 1...2 {
                while presence.gates.count < scan { await Task.yield() }
                let control = try Fixtures.unwrap(await person.kept.first as? any OsAuthenticationListenHandler)
                control.pauseListening()
                control.resumeListening()
            }
            try await end
            #expect(presence.gates.count == 3)
        }
    }

    @Test(
        "O-A3: the handlers of finger, face and passcode give the same control over the dialog of the system",
        arguments: ["F1D0#1002", "F1D0#1004"])
    func control(aaid: String) async throws {
        let presence = TestPresence([.wait, .pass])
        let phone = try await TestPhone { $0.presence = presence }
        phone.backend.script { $0.aaids = [aaid] }
        let person = await TestUser(aaid: aaid)
        await MainActor.run { person.listens = true }
        async let end: Void = phone.register(user: person)
        while presence.gates.isEmpty { await Task.yield() }
        let control = try Fixtures.unwrap(await person.kept.first as? any OsAuthenticationListenHandler)
        control.pauseListening()
        for _ in 0..<200 { await Task.yield() }
        #expect(presence.gates.count == 1)
        control.resumeListening()
        try await end
        #expect(presence.gates.count == 2)
        presence.script([.wait])
        let other = await TestUser(aaid: aaid)
        await MainActor.run { other.listens = true }
        async let signIn = phone.authenticate(user: other)
        while presence.gates.count < 3 { await Task.yield() }
        let second = try Fixtures.unwrap(await other.kept.first as? any OsAuthenticationListenHandler)
        second.cancelAuthentication()
        do {
            _ = try await signIn
            Issue.record("the sign-in went on")
        } catch {
            #expect((error as? any MobileAuthenticationClientError)?.isUserCancellation == true)
        }
    }

    @Test("Canceling while listening or while paused ends with userCanceled", arguments: [false, true])
    func cancel(whilePaused: Bool) async throws {
        let presence = TestPresence([.wait])
        let phone = try await phone(presence)
        let person = await TestUser(aaid: Self.aaid)
        async let end: Void = phone.register(user: person)
        while presence.gates.isEmpty { await Task.yield() }
        let control = try Fixtures.unwrap(await person.kept.first as? any OsAuthenticationListenHandler)
        if whilePaused { control.pauseListening() }
        control.cancelAuthentication()
        do {
            try await end
            Issue.record("the registration went through")
        } catch {
            #expect((error as? OperationError)?.isUserCancellation == true)
        }
    }

    @Test("Without a fingerprint verifier the biometric one announces the finger")
    func biometricStandsIn() async throws {
        let phone = try await phone(TestPresence())
        let person = await TestUser(aaid: Self.aaid)
        try await phone.client.operations.registration.username("jeff")
            .deviceInformation(DeviceInformation(name: "phone")).authenticatorSelector(person)
            .biometricUserVerifier(person).perform()
        #expect(await person.announcements == ["biometric"])
    }
}
