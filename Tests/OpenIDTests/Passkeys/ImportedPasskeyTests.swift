import BackendAPI
import OpenID
import ServerCore
import StrictCBOR
import TestSupport
import Testing
import UAF
import UAFService
import WebAuthn

@Suite("A passkey that another server has registered")
struct ImportedPasskeyTests {
    private static let handle = Array("0c1f1d5e-1f5a-4c3b-8f3e-2f6f3a1d7c55".utf8)

    private let stage: PasskeyStage

    init() async throws { stage = try await PasskeyStage() }

    /// Takes an authenticator's key over for `jeff`, under the handle of the other server.
    private func take(_ authenticator: SoftwareAuthenticator) async throws {
        let (user, random) = (stage.user.id, stage.fixture.server.random)
        let name = try #require(DeviceName("Laptop"))
        let imported = try #require(
            ImportedPasskey(
                RegistrationID(from: random),
                ImportedPasskey.Record(
                    credential: authenticator.id, key: CBORWriter.write(authenticator.key.cose),
                    model: "00000000-0000-0000-0000-000000000000", signCounter: 0, transports: ["internal"],
                    handle: Self.handle),
                name: name, registeredAt: stage.fixture.server.clock.now()))
        let isAdded = try await stage.fixture.server.openID.transaction {
            transaction throws(ServerTransactionFailure) in try transaction.insert(imported.passkey(of: user))
        }
        #expect(isAdded)
    }

    private func kept() async throws -> Passkey? { try await stage.provider.passkeys(of: stage.user.id).first }

    @Test(
        "It signs in under the handle of the other server, with and without the name, and what it says of copies is kept",
        arguments: [false, true], [nil, "jeff"])
    func signIn(isSynced: Bool, username: String?) async throws {
        let authenticator = stage.authenticator(isSynced: isSynced)
        try await take(authenticator)
        #expect(try await kept()?.assurance == .syncedPasskey)
        let answer = try await stage.signIn(authenticator, username: username, handle: Self.handle).answer
        #expect(answer != nil)
        #expect(try await kept()?.record.isBackupEligible == isSynced)
        #expect(try await kept()?.assurance == (isSynced ? .syncedPasskey : .passkey))
    }

    @Test("Under another handle, and once it says otherwise of copies than at first, it does not sign in")
    func refusals() async throws {
        var authenticator = stage.authenticator()
        try await take(authenticator)
        #expect(try await stage.signIn(authenticator).refusal == .unusable)
        #expect(try await stage.reasons(of: "PASSKEY_REFUSED").last == "7.2 step 6: unknownCredential")
        #expect(try await stage.signIn(authenticator, handle: Self.handle).answer != nil)
        authenticator.flags |= 0x18
        #expect(try await stage.signIn(authenticator, handle: Self.handle).refusal == .unusable)
        #expect(try await stage.reasons(of: "PASSKEY_REFUSED").last == "7.2 step 19: backupEligibility")
    }
}
