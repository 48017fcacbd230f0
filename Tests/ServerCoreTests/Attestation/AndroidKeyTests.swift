import BackendAPI
import ServerCore
import TestSupport
import Testing
import UAF

@Suite("Keys of Android's key store: vouched for when they are registered")
struct AndroidKeyTests {
    /// Attestation with one fault, and the reason in the audit.
    struct Fault: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let change: @Sendable (inout SyntheticAndroidKey) -> Void

        init(_ reason: String, change: @escaping @Sendable (inout SyntheticAndroidKey) -> Void) {
            testDescription = reason
            self.change = change
        }
    }

    private static let faults = [
        Fault("wrongChallenge") { $0.challenge[0] ^= 1 }, Fault("foreignKey") { $0.certifiedKey = nil },
        Fault("extensionMissing") { $0.hasDescription = false },
        Fault("securityLevel") { $0.attestationLevel = 0 }, Fault("purpose") { $0.hardware[1] = [0x31, 0x00] },
        Fault("origin") { $0.hardware[702] = SyntheticAndroidKey.integer(2) },
        Fault("bootState") { $0.hardware[704] = SyntheticAndroidKey.rootOfTrust(isLocked: false, state: 0) },
        Fault("foreignApplication") { $0.software[709] = SyntheticAndroidKey.application(["com.example.other"]) },
        Fault("foreignApplication") { $0.software[709] = nil }, Fault("revoked") { $0.wish.serial = [0xAB, 0xCD] },
        Fault("path.noValidPath") { $0.wish.validity = 1_577_836_800...1_577_836_801 },
    ]

    private func stage(_ rule: AppAttestationSettings.Rule = .required) async throws -> AttestationStage {
        try await AttestationStage(rule) {
            $0.android?.revocations = Array(#"{"entries":{"abcd":{"status":"REVOKED"}}}"#.utf8)
        }
    }

    @Test("A registered key with the certificates of a genuine device is taken, and then signs without a statement")
    func accepts() async throws {
        let stage = try await stage()
        let registered = try await stage.registration()
        #expect(try await stage.register(registered, stage.androidKey()) == .ok)
        #expect(try await stage.server.auditKinds().suffix(2) == ["APP_ATTESTED", "REGISTRATION_SUCCEEDED"])
        let sent = try await stage.authentication(with: registered.phone)
        #expect(try await stage.authenticate(sent) { _ in nil } == .ok)
    }

    @Test("Certificates with a fault refuse the registration with 1496 and their reason", arguments: faults)
    func refuses(fault: Fault) async throws {
        let stage = try await stage(.verified)
        let sent = try await stage.registration()
        #expect(try await stage.register(sent, stage.androidKey(change: fault.change)) == .unacceptableAttestation)
        #expect(try await stage.lastReason() == "appAttestation: \(fault.testDescription)")
        #expect(try await stage.credentialCount() == 0)
    }

    @Test("A key of App Attest does not take over a credential that Android's key store holds")
    func otherPlatform() async throws {
        let stage = try await stage()
        let registered = try await stage.registration()
        #expect(try await stage.register(registered, stage.androidKey()) == .ok)
        let taken = try await stage.authentication(with: registered.phone)
        #expect(try await stage.authenticate(taken, stage.newKey(SyntheticAppAttest())) == .unacceptableAttestation)
        #expect(try await stage.lastReason() == "appAttestation: foreignKey")
        let sent = try await stage.authentication(with: registered.phone)
        #expect(try await stage.authenticate(sent) { _ in nil } == .ok)
    }

    @Test("An application that somebody else has signed is refused")
    func signer() async throws {
        let stage = try await AttestationStage(.required) { $0.android?.signers = [[UInt8](repeating: 1, count: 32)] }
        #expect(try await stage.register(stage.registration(), stage.androidKey()) == .unacceptableAttestation)
        #expect(try await stage.lastReason() == "appAttestation: foreignApplication")
    }
}
