import BackendAPI
import DeviceAttestation
import Foundation
import Octets
import OpenID
import ServerCore
import StrictJSON
import TestSupport
import Testing
import UAFService
import WebAuthn

@Suite("Registration and changes of passkeys on the page of the devices")
struct PasskeyRegistrationTests {
    private func passkeys(_ stage: PasskeyStage) async throws -> [Passkey] {
        try await stage.provider.passkeys(of: stage.user.id)
    }

    @Test("A fresh sign-in adds passkeys; the request names those that there are")
    func honest() async throws {
        let stage = try await PasskeyStage()
        let session = try await stage.session()
        let (first, second) = (stage.authenticator(), stage.authenticator(isSynced: true))
        #expect(try await stage.register(first, by: session) == .done)
        let options = try #require(try await stage.provider.registrationOptions(of: session))
        #expect(try options["excludeCredentials"]?.asArray().count == 1)
        #expect(try options["rp"]?.asObject().string("id") == PasskeyStage.domain)
        stage.fixture.server.clock.advance(by: .seconds(1))
        #expect(try await stage.register(second, by: session, named: "Phone") == .done)
        let found = try await passkeys(stage)
        #expect(found.map(\.name.text) == ["Laptop", "Phone"] && found.map(\.assurance) == [.passkey, .syncedPasskey])
        #expect(found[0].record.user == stage.user.id.octets && found[0].usedAt == nil)
        #expect(try await stage.fixture.auditKinds().filter { $0 == "PASSKEY_REGISTERED" }.count == 2)
    }

    @Test("Passkeys are off until they are configured")
    func off() async throws {
        #expect(try await ProviderFixture().services.passkeys == nil)
    }

    @Test("A sign-in of before two minutes asks for another one first, and so does an open request after five")
    func age() async throws {
        let stage = try await PasskeyStage()
        let session = try await stage.session()
        let offer = try await stage.creation(session)
        stage.fixture.server.clock.advance(by: .seconds(121))
        #expect(try await stage.provider.registrationOptions(of: session) == nil)
        let made = try stage.authenticator().registration(offer)
        let name = try #require(DeviceName("Laptop"))
        #expect(
            try await stage.provider.register(Sensitive(made.text), named: name, by: session, client: stage.client)
                == .confirmFirst)
        #expect(try await passkeys(stage).isEmpty)
    }

    @Test("An answer is good once, for the session that has asked, and for the challenge of then")
    func replay() async throws {
        let stage = try await PasskeyStage()
        let (session, other) = (try await stage.session(), try await stage.session())
        let name = try #require(DeviceName("Laptop"))
        let offer = try await stage.creation(session)
        let made = try stage.authenticator().registration(offer)
        func register(_ session: BrowserSession) async throws -> PasskeyChange {
            try await stage.provider.register(Sensitive(made.text), named: name, by: session, client: stage.client)
        }
        #expect(try await register(other) == .confirmFirst)
        _ = try await stage.creation(session)
        #expect(try await register(session) == .unusable)
        #expect(try await stage.reasons(of: "PASSKEY_REFUSED").last == "7.1 step 8: challenge")
        #expect(try await register(session) == .confirmFirst)
        #expect(try await passkeys(stage).isEmpty)
    }

    @Test("A stranger's authenticator, one without verification, and one that is registered already are refused")
    func unusable() async throws {
        let stage = try await PasskeyStage()
        var other = stage.authenticator()
        other.client.origin = "https://evil.example"
        #expect(try await stage.register(other) == .unusable)
        other = stage.authenticator()
        other.flags = 0x01
        #expect(try await stage.register(other) == .unusable)
        let authenticator = stage.authenticator()
        #expect(try await stage.register(authenticator) == .done)
        let anna = try await stage.session(by: try await stage.anna())
        #expect(try await stage.register(authenticator, by: anna) == .unusable)
        #expect(
            try await stage.reasons(of: "PASSKEY_REFUSED") == [
                "7.1 step 9: origin", "7.1 step 16: userVerification", "7.1 step 26: alreadyRegistered",
            ])
        #expect(try await passkeys(stage).count == 1)
    }

    @Test("Where synced passkeys are refused, neither a new nor an old one is taken")
    func noSynced() async throws {
        let stage = try await PasskeyStage { $0.takesSyncedKeys = false }
        #expect(try await stage.register(stage.authenticator(isSynced: true)) == .unusable)
        #expect(try await stage.reasons(of: "PASSKEY_REFUSED").last == "7.1 step 18: backupEligibility")
        let old = stage.authenticator(isSynced: true)
        let passkey = try Passkey(
            of: stage.user.id, old, named: try #require(DeviceName("Old")), at: stage.fixture.server.clock.now(),
            random: stage.fixture.server.random, isSynced: true)
        _ = try await stage.fixture.server.openID.transaction { transaction throws(ServerTransactionFailure) in
            try transaction.insert(passkey)
        }
        #expect(try await stage.signIn(old).refusal == .unusable)
        #expect(try await stage.reasons(of: "PASSKEY_REFUSED").last == "7.2 step 19: backupEligibility")
    }

    @Test(
        "A passkey of a model that the list revokes is refused from the moment on in which the list is taken up",
        arguments: [
            "REVOKED", "ATTESTATION_KEY_COMPROMISE", "USER_VERIFICATION_BYPASS", "USER_KEY_REMOTE_COMPROMISE",
            "USER_KEY_PHYSICAL_COMPROMISE",
        ])
    func revoked(status: String) async throws {
        let (stage, signer) = (try await PasskeyStage(), try PasskeyListSigner())
        let root = signer.authority.root
        for (number, words) in [["FIDO_CERTIFIED_L1"], ["FIDO_CERTIFIED_L1", status]].enumerated() {
            let text = try signer.text(
                PasskeyListSigner.list([PasskeyListSigner.entry(root: root, words)], number: Int64(number)))
            stage.fixture.passkeyModels.replace(
                with: try await PasskeyMetadata(text, endingAt: try TrustRoots([root]), at: Date()))
            #expect(try await stage.register(stage.authenticator()) == (number == 0 ? .done : .unusable))
        }
        let options = try #require(try await stage.provider.registrationOptions(of: try await stage.session()))
        #expect(try options.string("attestation") == "direct")
        #expect(try await stage.reasons(of: "PASSKEY_REFUSED") == ["7.1 step 24: revokedModel"])
        #expect(try await passkeys(stage).count == 1)
    }

    @Test("A synced passkey adds no stronger one, and removes none")
    func strength() async throws {
        let stage = try await PasskeyStage()
        let (synced, bound) = (stage.authenticator(isSynced: true), stage.authenticator())
        try await stage.register(synced)
        let weak = try await stage.session(of: try #require(try await stage.signIn(synced).answer))
        #expect(try await stage.register(stage.authenticator(), by: weak) == .confirmFirst)
        #expect(try await stage.register(stage.authenticator(isSynced: true), by: weak) == .done)
        try await stage.register(bound)
        let strong = try #require(try await passkeys(stage).first { $0.assurance == .passkey })
        #expect(try await stage.provider.remove(strong.id, by: weak, client: stage.client) == .confirmFirst)
        let session = try await stage.session(of: try #require(try await stage.signIn(bound).answer))
        #expect(try await stage.provider.remove(strong.id, by: session, client: stage.client) == .done)
        #expect(try await passkeys(stage).count == 2)
    }

    @Test("A user has ten at most, also when two are added at once")
    func limit() async throws {
        let stage = try await PasskeyStage()
        let session = try await stage.session()
        for _ in 0..<10 { #expect(try await stage.register(stage.authenticator(), by: session) == .done) }
        #expect(try await stage.register(stage.authenticator(), by: session) == .tooMany)
        #expect(try await passkeys(stage).count == 10)
    }

    @Test("Names and removal are the owner's; a removal asks for a fresh sign-in, a name does not")
    func changes() async throws {
        let stage = try await PasskeyStage()
        try await stage.register(stage.authenticator())
        let passkey = try #require(try await passkeys(stage).first)
        let (mine, hers) = (try await stage.session(), try await stage.session(by: try await stage.anna()))
        let name = try #require(DeviceName("Work"))
        #expect(try await stage.provider.rename(passkey.id, to: name, by: hers, client: stage.client) == .unknown)
        #expect(try await stage.provider.remove(passkey.id, by: hers, client: stage.client) == .unknown)
        stage.fixture.server.clock.advance(by: .seconds(121))
        #expect(try await stage.provider.rename(passkey.id, to: name, by: mine, client: stage.client) == .done)
        #expect(try await stage.provider.remove(passkey.id, by: mine, client: stage.client) == .confirmFirst)
        #expect(try await passkeys(stage).map(\.name) == [name])
        let fresh = try await stage.session()
        #expect(try await stage.provider.remove(passkey.id, by: fresh, client: stage.client) == .done)
        #expect(try await stage.provider.remove(passkey.id, by: fresh, client: stage.client) == .unknown)
        #expect(
            try await stage.fixture.auditKinds().filter { $0.hasPrefix("PASSKEY_") } == [
                "PASSKEY_REGISTERED", "PASSKEY_RENAMED", "PASSKEY_REMOVED",
            ])
    }

    @Test("A session that has ended changes nothing")
    func endedSession() async throws {
        let stage = try await PasskeyStage()
        let session = try await stage.session()
        let offer = try await stage.creation(session)
        try await stage.fixture.server.services.users.endSessions(ofUserNamed: "jeff")
        let made = try stage.authenticator().registration(offer)
        let name = try #require(DeviceName("Laptop"))
        #expect(
            try await stage.provider.register(Sensitive(made.text), named: name, by: session, client: stage.client)
                == .confirmFirst)
        #expect(try await stage.provider.registrationOptions(of: session) == nil)
        #expect(try await passkeys(stage).isEmpty)
    }
}
