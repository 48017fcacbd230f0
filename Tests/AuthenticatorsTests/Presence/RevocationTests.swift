import HardwareKeys
import TestSupport
import Testing
import UAF

@testable import Authenticators

@Suite("What ends a key, and what is left of it")
struct RevocationTests {
    private static let biometric: [AuthenticatorKind] = [.fingerprint, .faceRecognition]

    // MARK: - New biometrics

    @Test(
        "Another enrolled finger or face ends the key before the user is asked; it stays visible as unusable",
        arguments: biometric)
    func changedEnrollment(kind: AuthenticatorKind) async throws {
        let device = try await TestDevice()
        let credential = try await device.enrolled(kind)
        let questions = device.person.asked.count
        device.person.change { $0.enrolled = Array(repeating: 8, count: 32) }
        try await expectLost(credential, on: device)
        #expect(device.person.asked.count == questions)
        // The old fingers do not bring it back.
        device.person.change { $0.enrolled = Array(repeating: 7, count: 32) }
        try await expectLost(credential, on: device)
    }

    @Test("The last finger removed is a change as well; a sensor that is away is none", arguments: biometric)
    func removedFingers(kind: AuthenticatorKind) async throws {
        let device = try await TestDevice()
        let credential = try await device.enrolled(kind)
        device.person.change { $0.hasSensor = false }
        await #expect(throws: AuthenticatorError.presence(.unavailable)) {
            try await device.sign(confirmed: credential)
        }
        #expect(try await device.state(credential) == .active)
        device.person.change { script in
            script.hasSensor = true
            script.enrolled = nil
        }
        try await expectLost(credential, on: device)
    }

    @Test("A finger enrolled while the question is open ends the key too, and a registration is asked for again")
    func changedMeanwhile() async throws {
        let device = try await TestDevice()
        let credential = try await device.enrolled(.fingerprint)
        device.person.change { script in
            script.whileAsked = { person in person.change { $0.enrolled = Array(repeating: 9, count: 32) } }
        }
        try await expectLost(credential, on: device)
        device.person.change { $0.enrolled = Array(repeating: 7, count: 32) }
        await #expect(throws: AuthenticatorError.presence(.expired)) { try await device.enroll(.fingerprint) }
    }

    @Test("A key without invalidation, and one behind the passcode, outlive new fingers")
    func outliving() async throws {
        let device = try await TestDevice()
        let finger = try await device.enrolled(.fingerprint, VerificationOptions(invalidatesOnNewBiometrics: false))
        let passcode = try await device.enrolled(.devicePasscode)
        device.person.change { $0.enrolled = Array(repeating: 8, count: 32) }
        _ = try await device.sign(confirmed: finger)
        _ = try await device.sign(confirmed: passcode)
    }

    @Test("What a platform itself reports as a change ends the key", arguments: [true, false])
    func platformReport(byVault: Bool) async throws {
        let device = try await TestDevice()
        let credential = try await device.enrolled(.fingerprint)
        if byVault {
            let vault = UnwillingVault(device.vault, .userPresence(.enrollmentChanged))
            var ports = AuthenticatorPorts(store: device.store, vault: vault, clock: device.clock)
            ports.presence = device.person
            let parameters = AssertionSigning.Parameters(
                credential: credential.id, access: device.access, challenge: try device.challenge())
            await #expect(throws: AuthenticatorError.keyDisappearedPermanently) {
                try await AssertionSigning(ports).perform(parameters, confirmedBy: TestDevice.prompt)
            }
        } else {
            device.person.change { $0.refusal = .enrollmentChanged }
        }
        try await expectLost(credential, on: device)
    }

    // MARK: - Device lock

    @Test("iOS: without a device lock every key ends, and no new one is made", arguments: AuthenticatorKind.allCases)
    func iOSLock(kind: AuthenticatorKind) async throws {
        let device = try await TestDevice()
        let credential = try await device.any(kind, in: .iOS)
        device.person.change { $0.lock = .absent }
        try await expectLost(credential, on: device)
        await #expect(throws: AuthenticatorError.noDeviceLock) { _ = try await device.any(kind, in: .iOS) }
        device.person.change { $0.lock = .present }
        try await expectLost(credential, on: device)
        _ = try await device.any(kind, in: .iOS)
    }

    @Test(
        "Elsewhere only the key behind the passcode ends with the device lock",
        arguments: [DeviceProfile.android, .linuxTPM, .linuxSoftware],
        AuthenticatorKind.allCases.filter { $0 != .faceRecognition })
    func otherLock(profile: DeviceProfile, kind: AuthenticatorKind) async throws {
        let device = try await TestDevice()
        let credential = try await device.any(kind, in: profile)
        device.person.change { $0.lock = .absent }
        if kind == .devicePasscode {
            try await expectLost(credential, on: device)
            await #expect(throws: AuthenticatorError.noDeviceLock) { _ = try await device.any(kind, in: profile) }
        } else {
            try await device.signAny(credential, kind)
            _ = try await device.any(kind, in: profile)
        }
    }

    @Test(
        "A device that does not tell whether it is locked, as on Linux, keeps its keys",
        arguments: [DeviceLockStatus.unknown, .present])
    func unknownLock(status: DeviceLockStatus) async throws {
        let device = try await TestDevice()
        device.person.change { $0.lock = status }
        for kind in AuthenticatorKind.allCases {
            try await device.signAny(try await device.any(kind, in: .iOS), kind)
        }
    }

    // MARK: - Deregistration, deletion, lockout

    @Test("Deregistration and local deletion leave nothing of a key", arguments: AuthenticatorKind.allCases)
    func removal(kind: AuthenticatorKind) async throws {
        let device = try await TestDevice()
        let first = try await device.any(kind, in: .iOS)
        try await KeyRemoval(device.ports).perform(
            aaid: first.id.aaid, keyID: first.id.keyID, access: device.access)
        #expect(try await device.state(first) == nil)
        let second = try await device.any(kind, in: .iOS)
        try await device.store.update { $0.delete(second.id) }
        try await KeyJournal(device.ports).destroyRemoved()
        #expect(try await device.state(second) == nil)
        #expect(try device.folder.names(in: "vault/keys").isEmpty)
    }

    @Test(
        "A lockout leaves the key visible and as it was; only a new registration helps",
        arguments: [AuthenticatorKind.pin, .password])
    func lockout(kind: AuthenticatorKind) async throws {
        let device = try await TestDevice()
        let credential = try await device.any(kind, in: .iOS)
        for _ in 0..<5 {
            _ = try? await device.signAny(credential, kind, "000000")
            device.clock.advance(seconds: 180)
        }
        await #expect(throws: AuthenticatorError.lockedOut) { try await device.signAny(credential, kind) }
        #expect(try await device.state(credential) == .active)
        #expect(try await device.status(credential) == .lockedOut)
        try await device.signAny(try await device.any(kind, in: .iOS), kind)
    }

    @Test("A lost key is removed by an explicit deletion and by a new registration, by nothing else")
    func explicitDeletion() async throws {
        let device = try await TestDevice()
        let credential = try await device.enrolled(.fingerprint)
        device.person.change { $0.enrolled = Array(repeating: 8, count: 32) }
        try await expectLost(credential, on: device)
        let later = try await device.reopened()
        #expect(try await later.state(credential) == .unusable)
        let next = try await later.enrolled(.fingerprint)
        #expect(try await later.store.contents().credentials.map(\.id) == [next.id])
    }

    private func expectLost(_ credential: Credential, on device: TestDevice) async throws {
        let kind = try #require(credential.id.aaid.authenticator?.kind)
        await #expect(throws: AuthenticatorError.keyDisappearedPermanently) {
            try await device.signAny(credential, kind)
        }
        #expect(try await device.state(credential) == .unusable)
        let key = try #require(try await device.store.contents().stored(credential.id)).key
        _ = try await device.vault.publicKey(of: key)
    }
}

extension TestDevice {
    /// Registers any kind, with the same secret where there is one.
    func any(_ kind: AuthenticatorKind, in profile: DeviceProfile) async throws -> Credential {
        guard kind.isVerifiedByApplication else { return try await enrolled(kind, in: profile) }
        let secret = kind == .pin ? try UserSecret.pin("482913") : try UserSecret.password("482913")
        let credential = try await KeyRegistration(ports).perform(
            try await parameters(kind, in: profile), secret: secret
        ).credential
        try await store.update { $0.promote(credential.id) }
        return credential
    }

    func signAny(_ credential: Credential, _ kind: AuthenticatorKind, _ text: String = "482913") async throws {
        guard kind.isVerifiedByApplication else {
            _ = try await sign(confirmed: credential)
            return
        }
        let secret = kind == .pin ? try UserSecret.pin(text) : try UserSecret.password(text)
        let parameters = AssertionSigning.Parameters(
            credential: credential.id, access: access, challenge: try challenge())
        _ = try await AssertionSigning(ports).perform(parameters, secret: secret)
    }
}
