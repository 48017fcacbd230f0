import Crypto
import HardwareKeys
import TestSupport
import Testing
import UAF

@testable import Authenticators

@Suite("SDK-9: a key that the operating system verifies the user for signs only with his proof")
struct PresenceTests {
    static let kinds: [AuthenticatorKind] = [.fingerprint, .faceRecognition, .devicePasscode]

    @Test("Registration and authentication sign after the person has passed the gate", arguments: kinds)
    func roundTrip(kind: AuthenticatorKind) async throws {
        let device = try await TestDevice()
        let (credential, octets) = try await device.enroll(kind)
        let registration = try RegistrationAssertion(octets: octets)
        #expect(registration.keyRegistrationData.credential.aaid == DeviceProfile.iOS.aaid(of: kind))
        #expect(device.person.asked.count == 1)
        try await device.store.update { $0.promote(credential.id) }
        let assertion = try AuthenticationAssertion(octets: try await device.sign(confirmed: credential))
        let key = try P256.Signing.PublicKey(derRepresentation: credential.publicKey)
        #expect(
            key.isValidSignature(try .init(derRepresentation: assertion.signature), for: assertion.signedData.octets))
        #expect(device.person.asked == [gate(kind), gate(kind)])
        #expect(device.person.prompts == [TestDevice.prompt, TestDevice.prompt])
    }

    @Test("The gate of a key follows its options", arguments: [AuthenticatorKind.fingerprint, .faceRecognition])
    func gates(kind: AuthenticatorKind) async throws {
        let device = try await TestDevice()
        for (options, gate) in [
            (VerificationOptions(), UserGate.biometryCurrentSet),
            (VerificationOptions(invalidatesOnNewBiometrics: false), .biometryAny),
            (VerificationOptions(allowsDevicePasscodeFallback: true), .userPresence),
            (VerificationOptions(allowsDevicePasscodeFallback: true, invalidatesOnNewBiometrics: false), .userPresence),
        ] {
            let credential = try await device.enrolled(kind, options)
            let stored = try #require(try await device.store.contents().stored(credential.id))
            #expect(stored.presenceLock?.gate == gate)
            #expect((stored.presenceLock?.enrollmentDigest != nil) == options.invalidatesOnNewBiometrics)
            #expect(stored.credential.options == options)
        }
    }

    @Test("Android has no passcode fallback for the finger alone, and no fallback together with invalidation")
    func android() async throws {
        let device = try await TestDevice()
        let both = VerificationOptions(allowsDevicePasscodeFallback: true)
        for profile in [DeviceProfile.android, .linuxSoftware, .linuxTPM] {
            await #expect(throws: AuthenticatorError.conflictingOptions) {
                try await device.enroll(.fingerprint, in: profile, both)
            }
        }
        #expect(device.person.asked.isEmpty)
        let fallback = VerificationOptions(allowsDevicePasscodeFallback: true, invalidatesOnNewBiometrics: false)
        _ = try await device.enroll(.fingerprint, in: .android, fallback)
        _ = try await device.enroll(.faceRecognition, in: .android, fallback)
        #expect(device.person.asked == [.biometryAny, .userPresence])
    }

    @Test(
        "What the person does not confirm is not signed, uses nothing and makes nothing",
        arguments: [
            UserPresenceError.cancelled, .fallbackChosen, .mismatch, .lockedOut, .unavailable, .expired, .notResponding,
        ])
    func refusal(refusal: UserPresenceError) async throws {
        let device = try await TestDevice()
        let credential = try await device.enrolled(.fingerprint)
        let before = try await device.store.contents()
        device.person.change { $0.refusal = refusal }
        await #expect(throws: AuthenticatorError.presence(refusal)) { try await device.sign(confirmed: credential) }
        await #expect(throws: AuthenticatorError.presence(refusal)) { try await device.enroll(.fingerprint) }
        #expect(try await device.store.contents() == before)
        #expect(try device.folder.names(in: "vault/keys").count == 1)
        device.person.change { $0.refusal = nil }
        _ = try await device.sign(confirmed: credential)
    }

    @Test("On Android a sensor below class 3 registers only with the option for it")
    func class2() async throws {
        let device = try await TestDevice()
        let support = PlatformSupport(
            isSupportedByHardware: true, isSupportedByOs: true, isEnrolled: true, isStrong: false)
        let catalog = AuthenticatorCatalog(
            profile: .android, support: [.faceRecognition: support], allowsClass2Sensors: true)
        let model = try #require(catalog.model(DeviceProfile.android.aaid(of: .faceRecognition)))
        var parameters = KeyRegistration.Parameters(
            model: model, owner: try device.owner("jane"), access: device.access, challenge: try device.challenge())
        let command = KeyRegistration(device.ports)
        await #expect(throws: AuthenticatorError.notOffered) {
            try await command.perform(parameters, confirmedBy: TestDevice.prompt)
        }
        #expect(device.person.asked.isEmpty)
        parameters.options.allowsClass2Sensors = true
        let credential = try await command.perform(parameters, confirmedBy: TestDevice.prompt).credential
        #expect(credential.options.allowsClass2Sensors)
    }

    @Test("A proof for another gate signs nothing, here and in the vault")
    func foreignProof() async throws {
        let device = try await TestDevice()
        let credential = try await device.enrolled(.fingerprint)
        device.person.change { $0.passed = .devicePasscode }
        await #expect(throws: AuthenticatorError.presence(.mismatch)) { try await device.sign(confirmed: credential) }
        await #expect(throws: AuthenticatorError.presence(.mismatch)) { try await device.enroll(.fingerprint) }
        let key = try #require(try await device.store.contents().stored(credential.id)).key
        for shown in [
            KeyAuthorization.none, .secret(.random()), .userPresence(UserPresenceProof(gate: .devicePasscode)),
            .userPresence(UserPresenceProof(gate: .biometryAny)), .userPresence(UserPresenceProof(gate: .userPresence)),
        ] {
            await #expect(throws: KeyVaultError.userPresence(.mismatch)) {
                try await device.vault.sign([1], with: key, authorizedBy: shown)
            }
        }
    }

    @Test("A secret opens no key behind a finger, a finger no key behind a secret, and neither counts")
    func wrongUse() async throws {
        let device = try await TestDevice()
        let finger = try await device.enrolled(.fingerprint)
        let pin = try await device.enroll("482913")
        await #expect(throws: AuthenticatorError.wrongUse) { try await device.sign(finger, "482913") }
        await #expect(throws: AuthenticatorError.wrongUse) { try await device.sign(confirmed: pin) }
        let old = try UserSecret.pin("482913")
        await #expect(throws: AuthenticatorError.wrongUse) {
            _ = try await SecretReplacement(device.ports).unlock(finger.id, old: old)
        }
        #expect(try await device.status(pin) == .unlocked)
        #expect(try await device.status(finger) == .unlocked)
        #expect(device.person.asked.count == 1)
    }

    @Test("SEC-17: another application is refused before the person is asked")
    func foreignCaller() async throws {
        let device = try await TestDevice()
        let credential = try await device.enrolled(.devicePasscode)
        let other = KeyAccess(appID: try #require(AppID("https://other.example")), facetID: device.access.facetID)
        await #expect(throws: AuthenticatorError.accessDenied) {
            try await device.sign(confirmed: credential, access: other)
        }
        #expect(device.person.asked.count == 1)
    }

    @Test("A credential that goes while the person is asked signs nothing")
    func deletedMeanwhile() async throws {
        let device = try await TestDevice()
        let credential = try await device.enrolled(.devicePasscode)
        let store = device.store
        device.person.change { script in
            script.whileAsked = { _ in try? await store.update { $0.delete(credential.id) } }
        }
        await #expect(throws: AuthenticatorError.accessDenied) { try await device.sign(confirmed: credential) }
    }

    @Test("Without a way to the user nothing is made and nothing signed")
    func noPresence() async throws {
        let device = try await TestDevice()
        let credential = try await device.enrolled(.devicePasscode)
        let parameters = try await device.parameters(.devicePasscode)
        var ports = device.ports
        ports.presence = nil
        await #expect(throws: AuthenticatorError.presence(.unavailable)) {
            try await KeyRegistration(ports).perform(parameters, confirmedBy: TestDevice.prompt)
        }
        let signature = AssertionSigning.Parameters(
            credential: credential.id, access: device.access, challenge: try device.challenge())
        await #expect(throws: AuthenticatorError.presence(.unavailable)) {
            try await AssertionSigning(ports).perform(signature, confirmedBy: TestDevice.prompt)
        }
    }

    private func gate(_ kind: AuthenticatorKind) -> UserGate {
        kind == .devicePasscode ? .devicePasscode : .biometryCurrentSet
    }
}
