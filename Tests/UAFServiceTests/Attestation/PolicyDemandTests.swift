import BackendAPI
import Crypto
import DeviceAttestation
import ServerCore
import StrictJSON
import TestSupport
import Testing
import UAF
import UAFService

@Suite("Policies that demand statements: the extensions of the closed product, judged by the whole server")
struct PolicyDemandTests {
    private static let android = "ch.nevis.auth.fido.uaf.android-app-attestation-policy"
    private static let apple = "ch.nevis.auth.fido.uaf.ios-app-attestation-policy"
    private static let keys = "ch.nevis.auth.fido.uaf.android-key-attestation-verifications"

    private static func statement(_ id: String, _ data: String = "{}") -> String {
        #"{"id":"\#(id)","data":\#(JSONWriter.text(.string(data)))}"#
    }

    /// The policy that accepts the synthetic model with extensions.
    private static func policy(_ extensions: String...) throws -> PolicyFile {
        let model = SyntheticAuthenticator.defaultAAID.text
        let text = #"{"accepted":[[{"aaid":["\#(model)"],"exts":[\#(extensions.joined(separator: ","))]}]]}"#
        return try PolicyFile(Array(text.utf8))
    }

    private static func other(_ made: inout SyntheticAndroidKey) {
        made.software[709] = SyntheticAndroidKey.application(["com.example.other"])
    }

    /// Expects that the next registration is refused with a reason.
    private func expectRefusal(
        _ stage: AttestationStage, _ reason: String, _ state: @escaping AttestationStage.Stating
    ) async throws {
        let count = try await stage.credentialCount()
        #expect(try await stage.register(stage.registration(), state) == .unacceptableAttestation)
        #expect(try await stage.lastReason() == "appAttestation: \(reason)")
        #expect(try await stage.credentialCount() == count)
    }

    // MARK: - Applications

    @Test("An application of Android that the policy names is taken under every rule; another, and none, are refused")
    func androidApplication() async throws {
        for rule in AppAttestationSettings.Rule.allCases {
            let policy = try Self.policy(
                Self.statement(Self.android, #"{"allowed_package_names":["com.example.signet"]}"#))
            let stage = try await AttestationStage(rule, policy: policy) {
                $0.android?.packages.insert("com.example.other")
            }
            #expect(try await stage.register(stage.registration(), stage.androidKey()) == .ok)
            try await expectRefusal(stage, "foreignApplication", stage.androidKey(change: Self.other))
            try await expectRefusal(stage, "missing") { _ in nil }
            try await expectRefusal(stage, "notConfigured", stage.newKey(SyntheticAppAttest()))
        }
    }

    @Test("Without names each application that the server takes is good")
    func anyAndroidApplication() async throws {
        let stage = try await AttestationStage(.ignored, policy: Self.policy(Self.statement(Self.android))) {
            $0.android?.packages.insert("com.example.other")
        }
        #expect(try await stage.register(stage.registration(), stage.androidKey(change: Self.other)) == .ok)
        try await expectRefusal(
            stage, "foreignApplication",
            stage.androidKey { made in
                made.software[709] = SyntheticAndroidKey.application(["com.example.third"])
            })
    }

    @Test("An application of Apple's platforms that the policy names is taken; another, and none, are refused")
    func appleApplication() async throws {
        let named = Self.statement(Self.apple, #"{"allowed_bundle_ids":["com.example.signet"]}"#)
        let stage = try await AttestationStage(.ignored, policy: Self.policy(named)) {
            $0.apple?.applications.insert("TEAM123456.com.example.other")
        }
        #expect(try await stage.register(stage.registration(), stage.newKey(SyntheticAppAttest())) == .ok)
        var other = SyntheticAppAttest()
        other.applicationDigest = Array(SHA256.hash(data: Array("TEAM123456.com.example.other".utf8)))
        try await expectRefusal(stage, "foreignApplication", stage.newKey(other))
        try await expectRefusal(stage, "missing") { _ in nil }
        try await expectRefusal(stage, "notConfigured", stage.androidKey())
        let unnamed = try await AttestationStage(.ignored, policy: Self.policy(Self.statement(Self.apple))) {
            $0.apple?.applications.insert("TEAM123456.com.example.other")
        }
        #expect(try await unnamed.register(unnamed.registration(), unnamed.newKey(other)) == .ok)
    }

    @Test("With both extensions either platform is good, and no statement is not")
    func bothPlatforms() async throws {
        let policy = try Self.policy(Self.statement(Self.android), Self.statement(Self.apple))
        let stage = try await AttestationStage(.ignored, policy: policy)
        #expect(try await stage.register(stage.registration(), stage.androidKey()) == .ok)
        #expect(try await stage.register(stage.registration(), stage.newKey(SyntheticAppAttest())) == .ok)
        try await expectRefusal(stage, "missing") { _ in nil }
    }

    @Test("Two sets that accept the key are alternatives; one without a demand takes it as it is")
    func sets() async throws {
        let model = #""aaid":["\#(SyntheticAuthenticator.defaultAAID.text)"]"#
        let demanding = #"[{\#(model),"exts":[\#(Self.statement(Self.android))]}]"#
        let text = #"{"accepted":[\#(demanding),[{\#(model),"exts":[\#(Self.statement(Self.apple))]}]]}"#
        let stage = try await AttestationStage(.ignored, policy: PolicyFile(Array(text.utf8)))
        #expect(try await stage.register(stage.registration(), stage.androidKey()) == .ok)
        #expect(try await stage.register(stage.registration(), stage.newKey(SyntheticAppAttest())) == .ok)
        try await expectRefusal(stage, "missing") { _ in nil }
        let open = #"{"accepted":[\#(demanding),[{\#(model)}]]}"#
        let lax = try await AttestationStage(.ignored, policy: PolicyFile(Array(open.utf8)))
        #expect(try await lax.register(lax.registration()) { _ in nil } == .ok)
    }

    // MARK: - Devices

    /// A demand on devices, with a key that meets it and one that does not.
    struct DeviceDemand: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let refusal: AndroidRefusal
        let honest: @Sendable (inout SyntheticAndroidKey) -> Void
        let attack: @Sendable (inout SyntheticAndroidKey) -> Void
    }

    private static let devices = [
        DeviceDemand(testDescription: #"{"security_level":"STRONG_BOX"}"#, refusal: .securityLevel) {
            ($0.attestationLevel, $0.keyLevel) = (2, 2)
        } attack: {
            $0.keyLevel = 2
        },
        DeviceDemand(testDescription: #"{"verified_boot":true}"#, refusal: .bootState) { _ in
        } attack: {
            $0.hardware[704] = SyntheticAndroidKey.rootOfTrust(isLocked: false, state: 0)
        },
        DeviceDemand(testDescription: #"{"rollback_resistance":true}"#, refusal: .rollbackResistance) {
            $0.hardware[303] = [0x05, 0x00]
        } attack: {
            $0.software[303] = [0x05, 0x00]
        },
        DeviceDemand(testDescription: #"{"oldest_patch_level":202608}"#, refusal: .patchLevel) { _ in
        } attack: {
            $0.hardware[706] = SyntheticAndroidKey.integer(202_607)
        },
        // The server's clock shows January 2026.
        DeviceDemand(testDescription: #"{"max_patch_age_months":13}"#, refusal: .patchLevel) {
            $0.hardware[706] = SyntheticAndroidKey.integer(202_412)
        } attack: {
            $0.hardware[706] = SyntheticAndroidKey.integer(202_411)
        },
    ]

    @Test("A device that meets the demand is taken, one that does not is refused with its reason", arguments: devices)
    func device(demand: DeviceDemand) async throws {
        let policy = try Self.policy(Self.statement(Self.keys, demand.testDescription))
        let stage = try await AttestationStage(.ignored, policy: policy) {
            $0.android?.device.isVerifiedBootRequired = false
        }
        #expect(try await stage.register(stage.registration(), stage.androidKey(change: demand.honest)) == .ok)
        try await expectRefusal(stage, demand.refusal.word, stage.androidKey(change: demand.attack))
        try await expectRefusal(stage, "missing") { _ in nil }
    }

    @Test("What the configuration demands of devices holds beside the policy's demand, and without a policy")
    func configuredDevice() async throws {
        for policy in [nil, try Self.policy(Self.statement(Self.keys, #"{"verified_boot":true}"#))] {
            let stage = try await AttestationStage(.required, policy: policy) {
                $0.android?.device.isStrongBoxRequired = true
                $0.android?.device.isRollbackResistanceRequired = true
                $0.android?.device.patchAge = 13
            }
            func key(_ change: @escaping (inout SyntheticAndroidKey) -> Void) -> AttestationStage.Stating {
                stage.androidKey {
                    ($0.attestationLevel, $0.keyLevel) = (2, 2)
                    $0.hardware[303] = [0x05, 0x00]
                    change(&$0)
                }
            }
            #expect(try await stage.register(stage.registration(), key { _ in }) == .ok)
            try await expectRefusal(stage, "securityLevel", key { $0.attestationLevel = 1 })
            try await expectRefusal(stage, "rollbackResistance", key { $0.hardware[303] = nil })
            try await expectRefusal(
                stage, "patchLevel", key { $0.hardware[706] = SyntheticAndroidKey.integer(202_411) })
        }
    }

    @Test("Of several alternatives one has to hold")
    func alternatives() async throws {
        let data = #"[{"security_level":"STRONG_BOX"},{"oldest_patch_level":202608}]"#
        let stage = try await AttestationStage(.ignored, policy: Self.policy(Self.statement(Self.keys, data)))
        #expect(try await stage.register(stage.registration(), stage.androidKey()) == .ok)
        let chip = stage.androidKey {
            ($0.attestationLevel, $0.keyLevel) = (2, 2)
            $0.hardware[706] = SyntheticAndroidKey.integer(202_501)
        }
        #expect(try await stage.register(stage.registration(), chip) == .ok)
        try await expectRefusal(
            stage, "patchLevel", stage.androidKey { $0.hardware[706] = SyntheticAndroidKey.integer(202_501) })
    }

    // MARK: - Full attestation

    /// A phone whose key is certified by a device's authority, as Android's full attestation has it.
    private func phone(
        of authority: AttestationAuthority, certifying certified: P256.Signing.PrivateKey? = nil,
        change: (inout SyntheticAndroidKey) -> Void = { _ in }
    ) throws -> SyntheticAuthenticator {
        let key = P256.Signing.PrivateKey()
        // The challenge of such a statement is the phone's own affair: the key itself signs the registration.
        var made = SyntheticAndroidKey(challenge: [1])
        made.certify((certified ?? key).publicKey)
        made.hardware[504] = nil
        change(&made)
        let attestation = SyntheticAttestation(
            certified: certified ?? key, try made.certificates(by: authority), root: authority.root)
        return try SyntheticAuthenticator(vouching: .full(attestation), key: .p256(key))
    }

    @Test("The certificates of a full attestation meet the demand when they are about the registered key itself")
    func fullAttestation() async throws {
        let authority = try AttestationAuthority()
        let policy = try Self.policy(
            Self.statement(Self.keys, #"{"verified_boot":true}"#), Self.statement(Self.android))
        let honest = try phone(of: authority)
        let stage = try await AttestationStage(.ignored, policy: policy, models: [honest], authority: authority)
        #expect(try await stage.register(stage.registration(with: honest)) { _ in nil } == .ok)
        #expect(try await stage.server.auditKinds().suffix(2) == ["APP_ATTESTED", "REGISTRATION_SUCCEEDED"])
        let signed = try await stage.authentication(with: honest)
        #expect(try await stage.authenticate(signed) { _ in nil } == .ok)
        let attacks: [(SyntheticAuthenticator, String)] = [
            (try phone(of: authority, certifying: P256.Signing.PrivateKey()), "foreignKey"),
            (try phone(of: authority) { $0.hardware[702] = SyntheticAndroidKey.integer(2) }, "origin"),
            (try phone(of: authority, change: Self.other), "foreignApplication"),
            (try phone(of: authority) { $0.hasDescription = false }, "extensionMissing"),
            (
                try phone(of: authority) {
                    $0.hardware[704] = SyntheticAndroidKey.rootOfTrust(isLocked: false, state: 0)
                }, "bootState"
            ),
        ]
        for (phone, reason) in attacks {
            #expect(
                try await stage.register(stage.registration(with: phone)) { _ in nil } == .unacceptableAttestation)
            #expect(try await stage.lastReason() == "appAttestation: \(reason)")
        }
        #expect(try await stage.credentialCount() == 1)
    }

    // MARK: - Requests

    /// Puts another policy into use while the server runs; nil takes every model.
    private func replace(_ stage: AttestationStage, by policy: PolicyFile?) async throws {
        let acceptance = stage.server.services.acceptance
        var settings = stage.server.services.settings.uaf
        settings.policies =
            if let policy {
                try PolicyCatalog([.standard: policy.policy], demands: [.standard: policy.demands])
            } else {
                try PolicyCatalog(acceptingModelsOf: acceptance.current.metadata)
            }
        let change = try await acceptance.replace(
            with: Acceptance(metadata: acceptance.current.metadata, settings: settings))
        #expect(change.changedPolicies == [.standard])
    }

    @Test("An answer is judged by what was asked, whatever is demanded now")
    func asked() async throws {
        let demanding = try Self.policy(Self.statement(Self.android))
        let stage = try await AttestationStage(.ignored, policy: demanding)
        let asked = try await stage.registration()
        try await replace(stage, by: nil)
        #expect(try await stage.register(asked) { _ in nil } == .unacceptableAttestation)
        #expect(try await stage.lastReason() == "appAttestation: missing")
        let freely = try await stage.registration()
        try await replace(stage, by: demanding)
        #expect(try await stage.register(freely) { _ in nil } == .ok)
    }

    @Test("The demands do not travel to the phone")
    func message() async throws {
        let policy = try Self.policy(
            Self.statement(Self.android), #"{"id":"a","data":"b","fail_if_unknown":false}"#)
        let stage = try await AttestationStage(.ignored, policy: policy)
        let request = try await stage.server.registrationRequest(for: stage.user)
        #expect(request.policy.accepted.joined().map { $0.extensions.map(\.id.text) } == [["a"]])
        #expect(!String(decoding: OperationRequest.registration(request).message, as: UTF8.self).contains("nevis.auth"))
    }

    @Test("A sign-in under a policy that demands an application takes keys that it holds, and no others")
    func signIn() async throws {
        let stage = try await AttestationStage(.ignored, policy: Self.policy(Self.statement(Self.android))) {
            $0.coversAuthentication = false
        }
        let held = try await stage.registration()
        #expect(try await stage.register(held, stage.androidKey()) == .ok)
        #expect(try await stage.authenticate(stage.authentication(with: held.phone)) { _ in nil } == .ok)
        try await replace(stage, by: nil)
        let unknown = try await stage.registration()
        #expect(try await stage.register(unknown) { _ in nil } == .ok)
        try await replace(stage, by: Self.policy(Self.statement(Self.android)))
        let refused = try await stage.authentication(with: unknown.phone)
        #expect(try await stage.authenticate(refused) { _ in nil } == .unacceptableAttestation)
        #expect(try await stage.lastReason() == "appAttestation: missing")
        try await replace(stage, by: Self.policy(Self.statement(Self.apple)))
        let other = try await stage.authentication(with: held.phone)
        #expect(try await stage.authenticate(other) { _ in nil } == .unacceptableAttestation)
        #expect(try await stage.lastReason() == "appAttestation: missing")
    }
}
