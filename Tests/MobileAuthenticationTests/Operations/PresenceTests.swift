import Authenticators
import Foundation
import HardwareKeys
import MobileAuthenticationTestKit
import Testing

@testable import MobileAuthentication
@testable import UAFClient

@Suite("Authenticators that the operating system verifies")
struct PresenceTests {
    private static let models: [AuthenticatorAaid: String] = [
        .Fingerprint: "F1D0#1002", .FaceRecognition: "F1D0#1003", .DevicePasscode: "F1D0#1004",
    ]

    private func phone(
        _ presence: TestPresence, profile: DeviceProfile = .iOS, accepting aaids: [String] = ["F1D0#1002"]
    ) async throws -> TestPhone {
        let phone = try await TestPhone {
            $0.presence = presence
            $0.profile = profile
        }
        phone.backend.script { $0.aaids = aaids }
        return phone
    }

    @Test(
        "Registration and authentication ask the verifier first, then the system, then sign",
        arguments: [
            (AuthenticatorAaid.Fingerprint, "biometric", UserGate.biometryCurrentSet),
            (.FaceRecognition, "biometric", .biometryCurrentSet), (.DevicePasscode, "passcode", .devicePasscode),
        ])
    func wholeLife(kind: AuthenticatorAaid, verifier: String, gate: UserGate) async throws {
        let presence = TestPresence()
        let aaid = try Fixtures.unwrap(Self.models[kind])
        let phone = try await phone(presence, accepting: [aaid])
        let person = await TestUser(pins: ["Pay the rent"], aaid: aaid)
        try await phone.register(user: person)
        #expect(await person.announcements == [verifier])
        #expect(presence.reasons == ["Pay the rent"])
        #expect(presence.gates == [gate])
        #expect(await person.acceptances == 1)
        let enrollment = try phone.authenticator(kind).userEnrollment as? OsUserEnrollment
        #expect(enrollment?.isEnrolled() == true)
        _ = try await phone.authenticate(user: TestUser(aaid: aaid))
        #expect(presence.gates == [gate, gate])
        #expect(presence.reasons.last?.isEmpty == false)
    }

    @Test(
        "What goes wrong at the sensor has its FIDO code, and the key of a registration is not made",
        arguments: [
            (UserPresenceError.cancelled, FidoErrorCode.userCanceled), (.lockedOut, .userLockout),
            (.unavailable, .userNotEnrolled), (.notResponding, .userNotResponsive),
        ])
    func failures(error: UserPresenceError, code: FidoErrorCode) async throws {
        let presence = TestPresence([.fail(error)])
        let phone = try await phone(presence)
        let failed = await #expect(throws: OperationError.self) {
            try await phone.register(user: TestUser(aaid: "F1D0#1002"))
        }
        #expect(failed?.fidoErrorCode == code)
        #expect(try await phone.environment.store.snapshot().scopes.isEmpty)
        try await phone.register(user: TestUser(aaid: "F1D0#1002"))
        presence.script([.fail(error)])
        let refused = await #expect(throws: AuthenticationError.self) {
            try await phone.authenticate(user: TestUser(aaid: "F1D0#1002"))
        }
        #expect(refused?.fidoErrorCode == code)
        #expect(phone.usernames == ["jeff"])
    }

    @Test("The fallback button, an old proof and a mismatch ask again; the fifth mismatch is a lockout")
    func again() async throws {
        let presence = TestPresence([.fail(.fallbackChosen), .fail(.expired), .fail(.mismatch), .pass])
        let phone = try await phone(presence)
        let person = await TestUser(aaid: "F1D0#1002")
        try await phone.register(user: person)
        #expect(await person.announcements.count == 4)
        presence.script(Array(repeating: .fail(.mismatch), count: 9))
        let other = await TestUser(aaid: "F1D0#1002")
        let error = await #expect(throws: AuthenticationError.self) { try await phone.authenticate(user: other) }
        #expect(error?.fidoErrorCode == .userLockout)
        #expect(await other.announcements.count == 5)
    }

    @Test("Changed fingers cost the key for good: it stays visible as unusable, and a new registration helps")
    func changedFingers() async throws {
        let presence = TestPresence()
        let phone = try await phone(presence)
        try await phone.register(user: TestUser(aaid: "F1D0#1002"))
        presence.changeFingers()
        let error = await #expect(throws: AuthenticationError.self) {
            try await phone.authenticate(user: TestUser(aaid: "F1D0#1002"))
        }
        #expect(error?.fidoErrorCode == .keyDisappearedPermanently)
        let registration = try phone.authenticator(.Fingerprint).registration
        #expect(registration.isRegistered("jeff"))
        #expect(!registration.isUsable("jeff"))
        try await phone.client.localData.removeAuthenticator(username: "jeff", aaid: "F1D0#1002")
        try await phone.register(user: TestUser(aaid: "F1D0#1002"))
        _ = try await phone.authenticate(user: TestUser(aaid: "F1D0#1002"))
    }

    @Test("With invalidation switched off the key outlives changed fingers")
    func noInvalidation() async throws {
        let presence = TestPresence()
        let phone = try await phone(presence)
        try await phone.registration("jeff", TestUser(aaid: "F1D0#1002")).invalidateOnNewOsBiometrics(false).perform()
        presence.changeFingers()
        _ = try await phone.authenticate(user: TestUser(aaid: "F1D0#1002"))
        #expect(presence.gates.allSatisfy { $0 == .biometryAny })
    }

    @Test("O-A3: Linux and Android refuse the passcode fallback together with invalidation, before any request")
    func conflict() async throws {
        for profile in [DeviceProfile.linuxSoftware, .linuxTPM, .android] {
            let phone = try await phone(TestPresence(), profile: profile)
            let error = await #expect(throws: OperationError.self) {
                try await phone.registration("jeff", TestUser()).allowDevicePasscodeAsFallback(true)
                    .invalidateOnNewOsBiometrics(true).perform()
            }
            #expect(error?.cause is ConflictingOptionsError)
            #expect(phone.backend.requests.isEmpty)
        }
    }

    @Test("iOS takes both; elsewhere the fallback alone switches invalidation off")
    func fallback() async throws {
        let apple = try await phone(TestPresence())
        try await apple.registration("jeff", TestUser(aaid: "F1D0#1002")).allowDevicePasscodeAsFallback(true)
            .invalidateOnNewOsBiometrics(true).perform()
        let presence = TestPresence()
        let linux = try await phone(presence, profile: .linuxSoftware, accepting: ["FFFF#2102"])
        try await linux.registration("jeff", TestUser(aaid: "FFFF#2102")).allowDevicePasscodeAsFallback(true).perform()
        presence.changeFingers()
        _ = try await linux.authenticate(user: TestUser(aaid: "FFFF#2102"))
        #expect(presence.gates == [.userPresence, .userPresence])
    }

    @Test("A device without screen lock refuses to work; its keys are marked, and nothing is deleted")
    func noDeviceLock() async throws {
        let phone = try await phone(TestPresence())
        try await phone.register(user: TestUser(aaid: "F1D0#1002"))
        phone.lock.set(.absent)
        let error = await #expect(throws: AuthenticationError.self) {
            try await phone.authenticate(user: TestUser(aaid: "F1D0#1002"))
        }
        guard case .NoDeviceLockError = error else {
            Issue.record("another error: \(String(describing: error))")
            return
        }
        #expect(error?.recoverySuggestion != nil)
        phone.lock.set(.present)
        #expect(phone.usernames == ["jeff"])
        #expect(try !phone.authenticator(.Fingerprint).registration.isUsable("jeff"))
        let lost = await #expect(throws: AuthenticationError.self) {
            try await phone.authenticate(user: TestUser(aaid: "F1D0#1002"))
        }
        #expect(lost?.fidoErrorCode == .keyDisappearedPermanently)
    }

    @Test("No client is made on a device without screen lock")
    func noLockAtStart() async throws {
        await #expect(throws: CeremonyFailure.self) { try await TestPhone { $0.lock.set(.absent) } }
    }

    @Test("What has no hardware is shown but cannot be chosen; what is not enrolled says so")
    func availability() async throws {
        let presence = TestPresence()
        presence.offer(.absent, for: .face)
        presence.offer(
            PlatformSupport(isSupportedByHardware: true, isSupportedByOs: true, isEnrolled: false), for: .fingerprint)
        let phone = try await phone(presence, accepting: ["F1D0#1001", "F1D0#1002", "F1D0#1003"])
        let person = await TestUser(aaid: "F1D0#1003")
        let missing = await #expect(throws: OperationError.self) { try await phone.register(user: person) }
        #expect(missing?.fidoErrorCode == .noSuitableAuthenticator)
        let context = try Fixtures.unwrap(await person.selections.first)
        #expect(context.authenticators.first { $0.aaid == "F1D0#1003" }?.isSupportedByHardware == false)
        #expect(!context.isPolicyCompliant(authenticatorAaid: "F1D0#1003"))
        let unset = await #expect(throws: OperationError.self) {
            try await phone.register(user: TestUser(aaid: "F1D0#1002"))
        }
        #expect(unset?.fidoErrorCode == .userNotEnrolled)
    }

    @Test("An authenticator without its enroller or verifier is not offered")
    func notOffered() async throws {
        let phone = try await phone(TestPresence(), accepting: ["F1D0#1001", "F1D0#1002", "F1D0#1004"])
        let person = await TestUser(pins: ["482915"])
        try await phone.client.operations.registration.username("jeff")
            .deviceInformation(DeviceInformation(name: "phone")).authenticatorSelector(person).pinEnroller(person)
            .devicePasscodeUserVerifier(person).perform()
        #expect(await person.selections.first?.authenticators.map(\.aaid) == ["F1D0#1001", "F1D0#1004"])
    }

    @Test("A system dialog that is not answered is taken away after the interaction time")
    func silence() async throws {
        let phone = try await phone(TestPresence([.wait]))
        async let end: Void = phone.register(user: TestUser(aaid: "F1D0#1002"))
        var error: (any Error)?
        await phone.clock.passTime(until: { phone.backend.requests(to: "/uaf/1.1/registration/").count == 1 })
        do { try await end } catch let failure { error = failure }
        #expect((error as? OperationError)?.fidoErrorCode == .userNotResponsive)
    }
}
