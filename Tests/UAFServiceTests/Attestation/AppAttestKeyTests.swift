import BackendAPI
import DeviceAttestation
import ServerCore
import StrictCBOR
import TestSupport
import Testing
import UAF
import UAFService

@Suite("Keys of App Attest: attested once, asserted with a rising counter")
struct AppAttestKeyTests {
    @Test(
        "A statement with a fault refuses the registration with 1496 and its reason",
        arguments: SyntheticAppAttest.faults)
    func refuses(fault: SyntheticAppAttest.Fault) async throws {
        let stage = try await AttestationStage(.verified)
        var made = SyntheticAppAttest()
        fault.change(&made)
        #expect(try await stage.register(stage.registration(), stage.newKey(made)) == .unacceptableAttestation)
        #expect(try await stage.lastReason() == "appAttestation: \(fault.refusal.word)")
        #expect(try await stage.credentialCount() == 0)
        #expect(try await key(made, stage) == nil)
    }

    @Test("A statement that is no CBOR, is about another response, or names another key is refused")
    func otherStatements() async throws {
        let stage = try await AttestationStage(.required)
        let made = SyntheticAppAttest()
        let first = try await stage.registration()
        let statements: [(String, AttestationStage.Stating)] = [
            ("encoding", { _ in .newAppleKey(id: made.keyID, attestation: [0xFF]) }),
            ("wrongNonce", { _ in try stage.newKey(made)(first) }),
            (
                "wrongKeyID",
                { sent in
                    let attestation = try made.attestation(clientDataHash: sent.clientDataHash, by: stage.authority)
                    return .newAppleKey(id: SyntheticAppAttest().keyID, attestation: attestation)
                }
            ),
            ("unknownKey", stage.assertion(made, counter: 1)),
        ]
        for (reason, state) in statements {
            #expect(try await stage.register(stage.registration(), state) == .unacceptableAttestation)
            #expect(try await stage.lastReason() == "appAttestation: \(reason)")
        }
        #expect(try await stage.credentialCount() == 0)
    }

    /// The key as it is stored.
    private func key(
        _ made: SyntheticAppAttest, _ stage: AttestationStage
    ) async throws -> (counter: UInt32, receipt: [UInt8])? {
        let id = try #require(AppAttestKeyID(stored: made.keyID))
        let key = try await stage.server.storage.read { snapshot throws(ServerTransactionFailure) in
            try snapshot.appAttestKey(id)
        }
        return key.map { ($0.counter, $0.receipt) }
    }

    /// A stage with a credential that was registered with a new key.
    private func registered(
        _ rule: AppAttestationSettings.Rule = .required
    ) async throws -> (AttestationStage, SyntheticAuthenticator, SyntheticAppAttest) {
        let (stage, made) = (try await AttestationStage(rule), SyntheticAppAttest())
        let sent = try await stage.registration()
        #expect(try await stage.register(sent, stage.newKey(made)) == .ok)
        return (stage, sent.phone, made)
    }

    @Test("A new key is kept with its receipt, and its assertions move the counter")
    func life() async throws {
        let (stage, phone, made) = try await registered()
        #expect(try await stage.server.auditKinds().suffix(2) == ["APP_ATTESTED", "REGISTRATION_SUCCEEDED"])
        let stored = try #require(try await key(made, stage))
        #expect(stored.counter == 0 && stored.receipt == [1, 2, 3])
        for counter: UInt32 in [1, 2, 7] {
            let sent = try await stage.authentication(with: phone)
            #expect(try await stage.authenticate(sent, stage.assertion(made, counter: counter)) == .ok)
            #expect(try await key(made, stage)?.counter == counter)
        }
        // A further account of the installation: Apple attests a key once.
        let anna = try await stage.server.services.users.add(name: "anna")
        let further = try await stage.registration(of: anna)
        #expect(try await stage.register(further, stage.assertion(made, counter: 8)) == .ok)
    }

    @Test("An assertion whose counter has not risen, of another response, or of another key is refused")
    func assertions() async throws {
        let (stage, phone, made) = try await registered()
        let first = try await stage.authentication(with: phone)
        #expect(try await stage.authenticate(first, stage.assertion(made, counter: 5)) == .ok)
        let statements: [(String, AttestationStage.Stating)] = [
            ("counterNotRisen", stage.assertion(made, counter: 5)),
            ("counterNotRisen", stage.assertion(made, counter: 4)),
            ("wrongSignature", { _ in try stage.assertion(made, counter: 6)(first) }),
            ("encoding", { _ in .appleKey(id: made.keyID, assertion: [0xFF]) }),
            ("missing", { _ in nil }), ("foreignKey", stage.assertion(SyntheticAppAttest(), counter: 6)),
            ("registrationOnly", stage.androidKey()),
        ]
        for (reason, state) in statements {
            let sent = try await stage.authentication(with: phone)
            #expect(try await stage.authenticate(sent, state) == .unacceptableAttestation)
            #expect(try await stage.lastReason() == "appAttestation: \(reason)")
        }
        #expect(try await key(made, stage)?.counter == 5)
    }

    @Test("Of two responses with one counter that come together exactly one is taken")
    func race() async throws {
        let (stage, phone, made) = try await registered()
        for counter in UInt32(1)...8 {
            let one = try await stage.authentication(with: phone)
            let other = try await stage.authentication(with: phone)
            async let first = stage.authenticate(one, stage.assertion(made, counter: counter))
            async let second = stage.authenticate(other, stage.assertion(made, counter: counter))
            let statuses = try await [first, second]
            #expect(Set(statuses) == [.ok, .unacceptableAttestation])
        }
    }

    @Test("A key that was attested before is not attested again")
    func attestedTwice() async throws {
        let (stage, _, made) = try await registered()
        #expect(try await stage.register(stage.registration(), stage.newKey(made)) == .unacceptableAttestation)
        #expect(try await stage.lastReason() == "attestedKeyExists")
        #expect(try await stage.server.auditKinds().last == "APP_ATTESTATION_FAILED")
        #expect(try await stage.credentialCount() == 1)
    }

    @Test("A credential of an attested application is not used without a statement, not even where none is required")
    func omission() async throws {
        let (stage, phone, _) = try await registered(.verified)
        let sent = try await stage.authentication(with: phone)
        #expect(try await stage.authenticate(sent) { _ in nil } == .unacceptableAttestation)
        #expect(try await stage.lastReason() == "appAttestation: missing")
    }

    @Test("A new key takes the place of the one before; assertions of the old one are refused")
    func newInstallation() async throws {
        let (stage, phone, old) = try await registered()
        let fresh = SyntheticAppAttest()
        let sent = try await stage.authentication(with: phone)
        #expect(try await stage.authenticate(sent, stage.newKey(fresh)) == .ok)
        let late = try await stage.authentication(with: phone)
        #expect(try await stage.authenticate(late, stage.assertion(old, counter: 1)) == .unacceptableAttestation)
        #expect(try await stage.lastReason() == "appAttestation: foreignKey")
        let next = try await stage.authentication(with: phone)
        #expect(try await stage.authenticate(next, stage.assertion(fresh, counter: 1)) == .ok)
    }

    @Test("A key is forgotten 400 days after its last use; the application then shows a new one")
    func forgetting() async throws {
        let (stage, phone, made) = try await registered()
        stage.server.clock.advance(by: AppAttestationSettings.keyRetention)
        await stage.server.services.maintain()
        #expect(try await key(made, stage) != nil)
        stage.server.clock.advance(by: .seconds(1))
        await stage.server.services.maintain()
        #expect(try await key(made, stage) == nil)
        #expect(stage.server.services.maintenance.failure(of: "attested applications") == nil)
        let sent = try await stage.authentication(with: phone)
        #expect(try await stage.authenticate(sent, stage.assertion(made, counter: 1)) == .unacceptableAttestation)
        let next = try await stage.authentication(with: phone)
        #expect(try await stage.authenticate(next, stage.newKey(SyntheticAppAttest())) == .ok)
    }
}
