import BackendAPI
import DeviceAttestation
import ServerCore
import TestSupport
import Testing
import UAF
import UAFService

@Suite("Keys of Android's key store: vouched for when they are registered")
struct AndroidKeyTests {
    /// Faults that depend on what this server demands.
    private static let faults = [
        SyntheticAndroidKey.Fault("another application", .foreignApplication) {
            $0.software[709] = SyntheticAndroidKey.application(["com.example.other"])
        },
        SyntheticAndroidKey.Fault("no application", .foreignApplication) { $0.software[709] = nil },
        SyntheticAndroidKey.Fault("revoked certificate", .revoked) { $0.wish.serial = [0xAB, 0xCD] },
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

    @Test(
        "Certificates with a fault refuse the registration with 1496 and their reason",
        arguments: SyntheticAndroidKey.faults + faults)
    func refuses(fault: SyntheticAndroidKey.Fault) async throws {
        let stage = try await stage(.verified)
        let sent = try await stage.registration()
        #expect(try await stage.register(sent, stage.androidKey(change: fault.change)) == .unacceptableAttestation)
        #expect(try await stage.lastReason() == "appAttestation: \(fault.refusal.word)")
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

    @Test("A certificate that is revoked while the server runs refuses the next registration")
    func reload() async throws {
        let stage = try await AttestationStage(.required)
        let first = try await stage.registration()
        #expect(try await stage.register(first, stage.androidKey { $0.wish.serial = [0x0C, 0xAF] }) == .ok)
        let acceptance = stage.server.services.acceptance
        var settings = stage.server.services.settings.uaf
        settings.appAttestation.android?.revocations = Array(#"{"entries":{"caf":{"status":"REVOKED"}}}"#.utf8)
        let fresh = try Acceptance(metadata: acceptance.current.metadata, settings: settings)
        #expect(try await acceptance.replace(with: fresh).changedAttestations == ["app-attestation"])
        let second = try await stage.registration()
        let status = try await stage.register(second, stage.androidKey { $0.wish.serial = [0x0C, 0xAF] })
        #expect(status == .unacceptableAttestation)
        #expect(try await stage.lastReason() == "appAttestation: revoked")
    }

    @Test("An application with a foreign signature is refused")
    func signer() async throws {
        let stage = try await AttestationStage(.required) { $0.android?.signers = [[UInt8](repeating: 1, count: 32)] }
        #expect(try await stage.register(stage.registration(), stage.androidKey()) == .unacceptableAttestation)
        #expect(try await stage.lastReason() == "appAttestation: foreignApplication")
    }
}
