import JOSE
import Octets
import OpenID
import ServerCore
import StrictJSON
import TestSupport
import Testing
import UAF
import UAFService
import WebAuthn

@Suite("Sign-in with a passkey: the honest one, and each attack")
struct PasskeySignInTests {
    private let stage: PasskeyStage
    private let authenticator: SoftwareAuthenticator

    init() async throws {
        stage = try await PasskeyStage()
        authenticator = stage.authenticator()
        #expect(try await stage.register(authenticator) == .done)
        try await stage.forgetPhones()
    }

    /// Expects a refusal, and its step in the audit.
    private func expectRefusal(
        _ step: String, _ outcome: PasskeySignIn, kind: String = "PASSKEY_REFUSED",
        _ location: SourceLocation = #_sourceLocation
    ) async throws {
        #expect(outcome.refusal == .unusable, sourceLocation: location)
        #expect(try await stage.reasons(of: kind).last == step, sourceLocation: location)
    }

    @Test("A passkey signs in, with and without the name, and tokens say so", arguments: [nil, "jeff", "ext-jeff"])
    func honest(username: String?) async throws {
        let answer = try #require(try await stage.signIn(authenticator, username: username).answer)
        let tokens = try await stage.fixture.exchange(try #require(answer.query["code"]))
        let claims = try await stage.fixture.claims(try tokens.string("id_token"))
        #expect(claims.text("acr") == "urn:signet:acr:passkey" && claims.text("sub") == "ext-jeff")
        #expect(claims.texts("amr") == ["hwk", "user", "mfa"])
        let session = try await stage.session(of: answer)
        let passkey = try #require(try await stage.provider.passkeys(of: stage.user.id).first)
        #expect(session.evidence.registrations == [passkey.id] && session.assurance == .passkey)
        #expect(passkey.usedAt == session.evidence.authenticatedAt)
        let record = try #require(
            try await stage.fixture.server.services.audit.records(of: "main", limit: 1_000).map {
                try stage.fixture.object($0.event)
            }.last { try $0.string("event") == "SIGNED_IN" })
        #expect(try record.string("channel") == "passkey" && record.string("passkeyId") == passkey.id.text)
        #expect(try record.string("initiator").contains("shop"))
    }

    @Test("A synced passkey says in the tokens that it may be copied")
    func synced() async throws {
        let stage = try await PasskeyStage()
        let synced = stage.authenticator(isSynced: true)
        try await stage.register(synced)
        let answer = try #require(try await stage.signIn(synced).answer)
        let tokens = try await stage.fixture.exchange(try #require(answer.query["code"]))
        let claims = try await stage.fixture.claims(try tokens.string("id_token"))
        #expect(claims.text("acr") == "urn:signet:acr:passkey-synced" && claims.texts("amr")?.first == "swk")
    }

    // MARK: - The answer

    @Test("A passkey of another provider's domain, of another page, and one in a foreign frame")
    func foreign() async throws {
        var other = authenticator
        other.relyingPartyID = "example.com"
        try await expectRefusal("7.2 step 15: relyingPartyID", try await stage.signIn(other))
        other = authenticator
        other.client.origin = "https://login.example.com.evil.example"
        try await expectRefusal("7.2 step 12: origin", try await stage.signIn(other))
        other = authenticator
        other.client.others = #","crossOrigin":true"#
        try await expectRefusal("7.2 step 13: embedded", try await stage.signIn(other))
    }

    @Test("Without user verification, with another key, and unreadable")
    func weak() async throws {
        var other = authenticator
        other.flags = 0x01
        try await expectRefusal("7.2 step 17: userVerification", try await stage.signIn(other))
        var forger = stage.authenticator()
        forger.id = authenticator.id
        try await expectRefusal("7.2 step 21: signature", try await stage.signIn(forger))
        let page = try await stage.fixture.open().entry
        let unread = try await stage.provider.signIn(
            page, with: Sensitive(Array("{}".utf8)), client: stage.client)
        try await expectRefusal("7.2 step 3: answer", unread)
    }

    @Test("A challenge of another session, and of the same session in another browser")
    func foreignChallenge() async throws {
        let (mine, hers) = (try await stage.fixture.open().entry, try await stage.fixture.open().entry)
        let made = try authenticator.assertion(try await stage.request(hers), user: stage.user.id.octets)
        try await expectRefusal(
            "7.2 step 11: challenge",
            try await stage.provider.signIn(mine, with: Sensitive(made.text), client: stage.client))
        let session = mine.session
        let moved = OpenSignIn(
            session: AuthorizationSession(
                id: session.id, browser: BrowserHash(of: [9]), parameters: session.parameters,
                createdAt: session.createdAt, expiresAt: session.expiresAt),
            client: mine.client)
        let own = try authenticator.assertion(try await stage.request(mine), user: stage.user.id.octets)
        try await expectRefusal(
            "7.2 step 11: challenge",
            try await stage.provider.signIn(moved, with: Sensitive(own.text), client: stage.client))
    }

    @Test("A passkey of another user: under that user's handle, and on the page of a name")
    func otherUser() async throws {
        let (anna, hers) = (try await stage.anna(), stage.authenticator())
        #expect(try await stage.register(hers, by: try await stage.session(by: anna)) == .done)
        try await expectRefusal("7.2 step 6: unknownCredential", try await stage.signIn(hers, as: stage.user))
        // Asked by the name of jeff, answered by anna.
        try await expectRefusal("7.2 step 11: challenge", try await stage.signIn(hers, username: "jeff", as: anna))
        try await expectRefusal(
            "7.2 step 6: foreignUser", try await stage.signIn(authenticator, username: "jeff", as: anna))
        let answer = try #require(try await stage.signIn(hers, username: "anna", as: anna).answer)
        #expect(try await stage.session(of: answer).userID == anna.id)
    }

    @Test("Without a name an authenticator says who it is; with one it need not")
    func handle() async throws {
        try await expectRefusal("7.2 step 6: userMissing", try await stage.signIn(authenticator) { $0.user = nil })
        #expect(try await stage.signIn(authenticator, username: "jeff") { $0.user = nil }.answer != nil)
    }

    // MARK: - Time and state

    @Test("The same answer again, after a success")
    func replay() async throws {
        let (page, browser) = try await stage.fixture.open()
        let made = try authenticator.assertion(try await stage.request(page), user: stage.user.id.octets)
        #expect(try await stage.provider.signIn(page, with: Sensitive(made.text), client: stage.client).answer != nil)
        let cookies = ProviderFixture.cookies(browser: browser)
        #expect(try await stage.fixture.services.signIns.session(page.session.id, browser: cookies) == nil)
        let again = try await stage.provider.signIn(page, with: Sensitive(made.text), client: stage.client)
        #expect(again.refusal == .unusable)
    }

    @Test("Two answers at once yield one code")
    func parallel() async throws {
        let page = try await stage.fixture.open().entry
        let made = try authenticator.assertion(try await stage.request(page), user: stage.user.id.octets)
        let (provider, client) = (stage.provider, stage.client)
        let codes = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<2 {
                group.addTask {
                    let outcome = try? await provider.signIn(page, with: Sensitive(made.text), client: client)
                    return outcome?.answer != nil
                }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(codes == 1)
    }

    @Test("A counter that does not grow is a copy: refused, and in the audit as such")
    func clone() async throws {
        var counting = stage.authenticator()
        try await stage.register(counting)
        counting.counter = 5
        #expect(try await stage.signIn(counting).answer != nil)
        let (page, browser) = try await stage.fixture.open()
        try await expectRefusal(
            "7.2 step 22: signCounter", try await stage.signIn(counting, on: page), kind: "CLONE_SUSPECTED")
        // The page stays open, for the true one.
        counting.counter = 6
        let same = try await stage.fixture.again(page, browser: browser)
        #expect(try await stage.signIn(counting, on: same).answer != nil)
    }

    @Test("A removed passkey, and one of a user who is locked or removed")
    func ended() async throws {
        let passkey = try #require(try await stage.provider.passkeys(of: stage.user.id).first)
        let removed = stage.authenticator()
        try await stage.register(removed)
        let second = try #require(try await stage.provider.passkeys(of: stage.user.id).first { $0.id != passkey.id })
        #expect(
            try await stage.provider.remove(second.id, by: try await stage.session(), client: stage.client) == .done)
        try await expectRefusal("7.2 step 6: unknownCredential", try await stage.signIn(removed))
        let users = stage.fixture.server.services.users
        try await users.lock(named: "jeff")
        try await expectRefusal("the user is locked", try await stage.signIn(authenticator))
        try await users.unlock(named: "jeff")
        #expect(try await stage.signIn(authenticator).answer != nil)
        try await users.remove(named: "jeff")
        try await expectRefusal("7.2 step 6: unknownCredential", try await stage.signIn(authenticator))
    }

    @Test("What it has let in ends with it: session, grant and refresh token, and the clients are told")
    func removalEnds() async throws {
        let (entry, browser) = try await stage.fixture.open(["scope": "openid offline_access"])
        _ = browser
        let answer = try #require(try await stage.signIn(authenticator, on: entry).answer)
        let tokens = try await stage.fixture.exchange(try #require(answer.query["code"]))
        let (access, refresh) = (try tokens.string("access_token"), try tokens.string("refresh_token"))
        #expect(try await stage.fixture.introspect(access)["active"] == .bool(true))
        let passkey = try #require(try await stage.provider.passkeys(of: stage.user.id).first)
        #expect(
            try await stage.provider.remove(passkey.id, by: try await stage.session(), client: stage.client) == .done)
        #expect(try await stage.fixture.introspect(access)["active"] == .bool(false))
        await #expect(throws: OpenIDRefusal.self) { try await stage.fixture.refresh(refresh) }
        let cookie = try #require(answer.cookie(BrowserCookies.providerName))
        #expect(try await stage.session(of: cookie) == nil)
        let told = try await stage.fixture.server.openID.read { snapshot throws(ServerTransactionFailure) in
            try snapshot.messages(.waiting, limit: 10).filter { $0.kind == .logout }.count
        }
        // One for the session of the phone, which is gone, too.
        #expect(told == 2)
    }

    // MARK: - What clients ask for

    @Test("A text to confirm and acr_values above the passkey are for phones; the page stays open")
    func asked() async throws {
        let strong = try await stage.fixture.open(["acr_values": Assurance.key.rawValue])
        #expect(try await stage.signIn(authenticator, on: strong.entry).refusal == .weakerThanAsked)
        _ = try await stage.fixture.again(strong.entry, browser: strong.browser)
        let synced = stage.authenticator(isSynced: true)
        try await stage.register(synced)
        let bound = try await stage.fixture.open(["acr_values": Assurance.passkey.rawValue])
        #expect(try await stage.signIn(synced, on: bound.entry).refusal == .weakerThanAsked)
        #expect(try await stage.signIn(authenticator, on: bound.entry).answer != nil)
        var parameters = strong.entry.session.parameters
        (parameters.text, parameters.assurance) = ("Pay 10 EUR", [])
        let known = strong.entry.session
        let page = OpenSignIn(
            session: AuthorizationSession(
                id: known.id, browser: known.browser, parameters: parameters, createdAt: known.createdAt,
                expiresAt: known.expiresAt),
            client: strong.entry.client)
        #expect(try await stage.signIn(authenticator, on: page).refusal == .weakerThanAsked)
        let asked = [Assurance.key, .passkey].map { "the client asks for \($0.rawValue)" }
        #expect(
            try await stage.reasons(of: "PASSKEY_REFUSED") == asked + ["only a phone shows and signs a text"])
    }

    @Test("Of a page that names a user by id_token_hint another one gets nothing but the refusal")
    func hint() async throws {
        let (anna, hers) = (try await stage.anna(), stage.authenticator())
        try await stage.register(hers, by: try await stage.session(by: anna))
        let tokens = try await stage.fixture.exchange(try await stage.fixture.code())
        let page = try await stage.fixture.open(["id_token_hint": try tokens.string("id_token"), "prompt": "login"])
        let answer = try #require(try await stage.signIn(hers, on: page.entry, as: anna).answer)
        #expect(answer.query["error"] == "login_required" && answer.query["code"] == nil)
    }

    @Test("What waits for a phone is called off when a passkey has signed in")
    func ceremony() async throws {
        let (entry, browser) = try await stage.fixture.open()
        let begun = try await stage.fixture.services.starter.begin(.code, in: entry, client: stage.client)
        let page = try await stage.fixture.again(entry, browser: browser)
        #expect(try await stage.signIn(authenticator, on: page).answer != nil)
        let state = try await stage.fixture.confirmations.state(
            of: begun.id, for: .client(entry.client.id), unlike: nil, atMost: .zero)
        #expect(state == .expired)
    }

    // MARK: - Names and bounds

    @Test("A name that no user has names a credential, always the same, by the same statements")
    func decoy() async throws {
        let page = try await stage.fixture.open().entry
        let other = try await stage.fixture.open().entry
        func allowed(_ name: String, _ page: OpenSignIn) async throws -> JSONValue? {
            try await stage.provider.signInOptions(of: page, username: name)["allowCredentials"]
        }
        let unknown = try await allowed("absent", page)
        #expect(try await allowed("absent", other) == unknown)
        #expect(try await allowed("another", page) != unknown)
        #expect(try unknown?.asArray().count == 1)
        #expect(try await allowed("jeff", page)?.asArray().count == 1)
        _ = try await stage.anna()
        #expect(try await allowed("anna", page) == allowed("anna", other))
        #expect(try await allowed("\u{0}", page)?.asArray().count == 1)
        let made = try authenticator.assertion(
            try await stage.request(page, username: "absent"), user: stage.user.id.octets)
        try await expectRefusal(
            "7.2 step 11: challenge",
            try await stage.provider.signIn(page, with: Sensitive(made.text), client: stage.client))
    }

    @Test("A page asks for twenty names and gives twenty answers, and then waits")
    func bounds() async throws {
        let page = try await stage.fixture.open().entry
        for number in 0..<20 { _ = try await stage.provider.signInOptions(of: page, username: "name\(number)") }
        await #expect(throws: ServerError.tooManyOperations(retryAfter: .seconds(300))) {
            try await stage.provider.signInOptions(of: page, username: "name")
        }
        _ = try await stage.provider.signInOptions(of: page, username: nil)
        var forger = stage.authenticator()
        forger.id = authenticator.id
        for _ in 0..<20 { #expect(try await stage.signIn(forger, on: page).refusal == .unusable) }
        await #expect(throws: ServerError.tooManyOperations(retryAfter: .seconds(300))) {
            try await stage.signIn(authenticator, on: page)
        }
        #expect(try await stage.signIn(authenticator).answer != nil)
    }
}
