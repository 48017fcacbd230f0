import OpenID
import ServerCore
import ServerPersistence
import StrictJSON
import TestSupport
import Testing
import UAFService

/// The rights that a sign-in leads to are in `EndedRightTests`.
@Suite("Where there are passkeys, the strongest method of an account alone lets in")
struct WeakerMethodTests {
    private static let wait: Duration = .seconds(3_600)
    /// The order of decision 0036, weakest first.
    private static let order: [[Assurance]] = [[.syncedPasskey], [.passkey], [.key], [.chip, .chipWithPIN]]

    private static func rank(_ method: Assurance) -> Int { order.firstIndex { $0.contains(method) } ?? -1 }

    /// A provider whose user has a key that proves nothing.
    private func fixture(isEnabled: Bool = true) async throws -> ProviderFixture {
        try await ProviderFixture {
            $0.passkeys = isEnabled ? OpenIDSettings.Passkeys() : nil
            $0.passkeys?.removalWait = Self.wait
        }
    }

    private func note(_ method: Assurance, _ fixture: ProviderFixture) async throws {
        let (user, now) = (fixture.user.id, fixture.server.clock.now())
        try await fixture.server.openID.transaction { transaction throws(ServerTransactionFailure) in
            try transaction.noteRemoval(of: method, by: user, at: now)
        }
    }

    /// Sign-in that has to be refused, or to be let in.
    private func expectSignIn(by held: Assurance, isRefused: Bool, _ fixture: ProviderFixture) async throws {
        let answer = try await fixture.signIn(assurance: held)
        #expect((answer.query["error"] == "unmet_authentication_requirements") == isRefused, "\(held)")
        #expect((answer.query["code"] == nil) == isRefused, "\(held)")
        #expect((answer.cookie(BrowserCookies.providerName) == nil) == isRefused, "\(held)")
    }

    @Test("Each method is refused beside a stronger one that was removed, and no other", arguments: Assurance.allCases)
    func removed(held: Assurance) async throws {
        let fixture = try await fixture()
        for method in Assurance.allCases.sorted() {
            try await note(method, fixture)
            let strongest = max(Self.rank(method), Self.rank(.key))
            try await expectSignIn(by: held, isRefused: Self.rank(held) < strongest, fixture)
        }
        fixture.server.clock.advance(by: Self.wait - .milliseconds(1))
        try await expectSignIn(by: held, isRefused: Self.rank(held) < Self.rank(.chip), fixture)
        fixture.server.clock.advance(by: .milliseconds(1))
        try await expectSignIn(by: held, isRefused: Self.rank(held) < Self.rank(.key), fixture)
    }

    @Test("Each method is refused beside a stronger one that is registered", arguments: Assurance.allCases)
    func registered(held: Assurance) async throws {
        let fixture = try await fixture()
        for method in [Assurance.key, .chip, .chipWithPIN] {
            try await fixture.protectKeys(as: method)
            try await expectSignIn(by: held, isRefused: Self.rank(held) < Self.rank(method), fixture)
        }
    }

    @Test("Without passkeys every method lets in", arguments: Assurance.allCases)
    func withoutPasskeys(held: Assurance) async throws {
        let fixture = try await fixture(isEnabled: false)
        try await note(.chipWithPIN, fixture)
        try await fixture.protectKeys(as: .chip)
        try await expectSignIn(by: held, isRefused: false, fixture)
    }

    @Test("The refusal says what helps, and its record which method is stronger; nothing is granted")
    func record() async throws {
        let fixture = try await fixture()
        try await fixture.protectKeys(as: .chip)
        let answer = try await fixture.signIn(assurance: .passkey)
        #expect(
            answer.query["error_description"]
                == "This account has a stronger method of sign-in: sign in with that one.")
        let chain = fixture.server.services.settings.instanceName
        let records = try await fixture.server.storage.audit.records(of: chain, after: 0, limit: 1_000)
        let last = try fixture.object(try #require(records.last).event)
        #expect(try last.string("event") == "WEAKER_METHOD_REFUSED")
        #expect(try last.string("reason") == Assurance.chip.rawValue)
        #expect(try last.string("initiator") == "client:shop")
        #expect(try await !fixture.auditKinds().contains("CLIENT_GRANT_ISSUED"))
        let user = fixture.user.id
        let left = try await fixture.server.openID.read { snapshot throws(ServerTransactionFailure) in
            (try snapshot.grants(of: user).count, try snapshot.browserSessions(of: user).count)
        }
        #expect(left == (0, 0))
    }

    @Test("A session of the browser by a weaker method asks anew, and goes on once the wait is over")
    func session() async throws {
        let fixture = try await fixture()
        let signedIn = try await fixture.signIn(assurance: .key)
        let cookie = try #require(signedIn.cookie(BrowserCookies.providerName))
        try await note(.chip, fixture)
        #expect(try await fixture.authorize(provider: cookie).signIn != nil)
        let silent = try await fixture.authorize(["prompt": "none"], provider: cookie)
        #expect(silent.query["error"] == "login_required")
        fixture.server.clock.advance(by: Self.wait)
        #expect(try await fixture.authorize(["prompt": "none"], provider: cookie).query["code"] != nil)
    }

    @Test("The grant of a refresh token of a weaker method ends, and its end is recorded with the reason")
    func refresh() async throws {
        let fixture = try await fixture()
        let scopes = ["scope": "openid offline_access"]
        let code = try #require(try await fixture.signIn(scopes, assurance: .key).query["code"])
        let token = try await fixture.exchange(code).string("refresh_token")
        try await fixture.protectKeys(as: .chip)
        await #expect(throws: OpenIDRefusal(.invalidGrant)) { try await fixture.refresh(token) }
        #expect(try await fixture.auditKinds().suffix(2) == ["WEAKER_METHOD_REFUSED", "CLIENT_GRANT_ENDED"])
        try await fixture.protectKeys(as: .key)
        await #expect(throws: OpenIDRefusal(.invalidGrant)) { try await fixture.refresh(token) }
    }
}
