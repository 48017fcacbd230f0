import Authenticators
import Crypto
import HardwareKeys
import TestSupport
import Testing
import UAF

@Suite(
    "Passwords and fingers on a TPM",
    .enabled(if: SoftwareTPM.isInstalled, "\(SoftwareTPM.absence)"))
struct OtherKindsOnChipTests {
    private let chip: SoftwareTPM
    private let device: TestDevice

    init() async throws {
        chip = try SoftwareTPM()
        device = try await TestDevice.onChip(chip)
    }

    @Test("A password signs and is counted in the chip, across restarts, beside the PIN of the same account")
    func password() async throws {
        let password = try await device.any(.password, in: .linuxTPM)
        let pin = try await device.any(.pin, in: .linuxTPM)
        try await device.signAny(password, .password)
        await #expect(throws: AuthenticatorError.wrongSecret(attemptsLeft: 4, coolDown: .zero)) {
            try await device.signAny(password, .password, "wrong")
        }
        try chip.restart()
        let later = try await device.reopened()
        #expect(try await later.status(password) == .lastAttemptFailed(attemptsLeft: 4, coolDown: .zero))
        #expect(try await later.status(pin) == .unlocked)
        try await later.signAny(password, .password)
        try await later.signAny(pin, .pin)
    }

    @Test("A finger signs with a key of the chip, only with its proof, and takes no index of it")
    func fingerprint() async throws {
        let before = try chip.indices()
        let credential = try await device.enrolled(.fingerprint, in: .linuxTPM)
        #expect(try chip.indices() == before)
        let assertion = try AuthenticationAssertion(octets: try await device.sign(confirmed: credential))
        let key = try P256.Signing.PublicKey(derRepresentation: credential.publicKey)
        #expect(
            key.isValidSignature(try .init(derRepresentation: assertion.signature), for: assertion.signedData.octets))
        device.person.change { $0.passed = .biometryAny }
        await #expect(throws: AuthenticatorError.presence(.mismatch)) { try await device.sign(confirmed: credential) }
        device.person.change { script in
            script.passed = nil
            script.enrolled = Array(repeating: 8, count: 32)
        }
        await #expect(throws: AuthenticatorError.keyDisappearedPermanently) {
            try await device.sign(confirmed: credential)
        }
        #expect(try await device.state(credential) == .unusable)
    }

    @Test("A cleared chip has lost the key for good; one that is silent costs nothing")
    func loss() async throws {
        let credential = try await device.enrolled(.devicePasscode, in: .linuxTPM)
        chip.kill()
        await #expect(throws: AuthenticatorError.vault(.hardwareUnavailable)) {
            try await device.sign(confirmed: credential)
        }
        try chip.start()
        _ = try await device.sign(confirmed: credential)
        try chip.clear()
        await #expect(throws: AuthenticatorError.keyDisappearedPermanently) {
            try await device.sign(confirmed: credential)
        }
    }
}
