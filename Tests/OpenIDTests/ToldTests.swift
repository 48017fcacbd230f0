import BackendAPI
import JOSE
import Octets
import OpenID
import ServerCore
import StrictJSON
import TestSupport
import Testing
import UAF
import UAFService

@Suite("SA-7, SA-9: Clients are told of the end of a login in the transaction that ends it, once for each session")
struct ToldTests {
    /// What ends the logins of a user, but for a logout (LogoutTests).
    enum Blow: String, CaseIterable, Sendable {
        case locked, sessionsEnded, passwordChanged, removed, credentialRemoved, credentialDisabled, deregistered
        case keysReplaced
    }

    private let fixture: ProviderFixture

    init() async throws { fixture = try await ProviderFixture() }

    private var services: ServerServices { fixture.server.services }

    private func messages() async throws -> [OutgoingMessage] {
        let now = fixture.server.clock.now()
        return try await fixture.server.openID.read { snapshot throws(ServerTransactionFailure) in
            try snapshot.dueMessages(at: now, limit: 100)
        }
    }

    private func keys() async throws -> [CredentialID] {
        try await services.storage.credentials.credentials(of: fixture.user.id).map(\.id)
    }

    private func fall(_ blow: Blow, on keys: [CredentialID]) async throws {
        switch blow {
        case .locked: try await services.users.lock(named: "jeff")
        case .sessionsEnded: try await services.users.endSessions(ofUserNamed: "jeff")
        case .passwordChanged: try await services.users.setPassword("another horse battery", named: "jeff")
        case .removed: try await services.users.remove(named: "jeff")
        case .credentialRemoved: try await services.users.remove(keys, ofUserNamed: "jeff")
        case .credentialDisabled: try await services.users.setStatus(.disabled, of: keys, ofUserNamed: "jeff")
        case .deregistered:
            let asked = GetUAFRequest(DeregistrationContext(username: fixture.user.name, scope: .everything))
            _ = try await services.deregistration.issueRequest(
                asked, authorization: fixture.server.grant(fixture.user), client: ClientContext())
        case .keysReplaced: try await services.replaceKeys()
        }
    }

    @Test(
        "A client with two grants of one session, one of them offline, gets one token with sub and sid",
        arguments: Blow.allCases)
    func once(blow: Blow) async throws {
        let answer = try await fixture.signIn(["scope": "openid offline_access"])
        let cookie = try #require(answer.cookie(BrowserCookies.providerName))
        let tokens = try await fixture.exchange(try #require(answer.query["code"]))
        _ = try await fixture.authorize(["prompt": "none"], provider: cookie)
        let sid = try await fixture.claims(try tokens.string("id_token")).text("sid")
        try await fall(blow, on: try await keys())
        let told = try await messages()
        #expect(told.map(\.kind) == [.logout] && told.map(\.destination) == ["shop"])
        let content = try fixture.object(try #require(told.first).content)
        #expect(try content.string("sub") == "ext-jeff" && content["sid"] == sid.map { .string($0) })
    }

    @Test("Nothing is told of a key on which no login rests, and of a login with another key that is left")
    func otherKey() async throws {
        _ = try await fixture.signIn()
        let before = try await keys()
        let other = try SyntheticAuthenticator()
        #expect(try await fixture.server.register(other, for: fixture.user) == .ok)
        let added = try await keys().filter { !before.contains($0) }
        try await fall(.credentialDisabled, on: added)
        #expect(try await messages().isEmpty)
        try await fall(.credentialDisabled, on: before)
        #expect(try await messages().map(\.destination) == ["shop"])
    }

    @Test("Thirty silent sign-ins make one grant, one record and one logout token; a code has its own nonce")
    func silent() async throws {
        let cookie = try #require(try await fixture.signIn().cookie(BrowserCookies.providerName))
        var last: JSONObject?
        for round in 1...30 {
            let answer = try await fixture.authorize(["prompt": "none", "nonce": "n-\(round)"], provider: cookie)
            last = try await fixture.exchange(try #require(answer.query["code"]))
        }
        let token = try #require(last).string("id_token")
        #expect(try await fixture.claims(token).text("nonce") == "n-30")
        let user = fixture.user.id
        let grants = try await fixture.server.openID.read { snapshot throws(ServerTransactionFailure) in
            try snapshot.grants(of: user)
        }
        #expect(grants.count == 1)
        try await fall(.locked, on: [])
        let kinds = try await fixture.auditKinds()
        for kind in [AuditEvent.Kind.clientGrantIssued, .clientGrantEnded] {
            #expect(kinds.count { $0 == kind.rawValue } == 1, "\(kind)")
        }
        #expect(try await messages().count == 1)
    }

    @Test("Six thousand grants of one login end with one record and one message")
    func many() async throws {
        _ = try await fixture.signIn()
        let (user, random) = (fixture.user.id, fixture.server.random)
        try await fixture.server.openID.transaction { transaction throws(ServerTransactionFailure) in
            guard let one = try transaction.grants(of: user).first else { return }
            for _ in 1..<6_000 {
                try transaction.insert(
                    Grant(
                        stored: GrantID(from: random), client: one.client, userID: user, session: one.session,
                        scopes: one.scopes, ceremony: one.ceremony, assurance: one.assurance,
                        authenticatedAt: one.authenticatedAt, evidence: one.evidence, createdAt: one.createdAt,
                        expiresAt: one.expiresAt))
            }
        }
        try await fall(.locked, on: [])
        let kinds = try await fixture.auditKinds()
        #expect(kinds.count { $0 == AuditEvent.Kind.clientGrantEnded.rawValue } == 1)
        #expect(try await messages().count == 1)
        let left = try await fixture.server.openID.read { snapshot throws(ServerTransactionFailure) in
            try snapshot.grants(of: user)
        }
        #expect(left.isEmpty)
    }

    @Test("A login is told of for as long as its session of the browser lasts, also when its tokens have expired")
    func afterTokens() async throws {
        _ = try await fixture.signIn()
        fixture.server.clock.advance(by: .seconds(3_600))
        let now = fixture.server.clock.now()
        try await fixture.server.openID.transaction { transaction throws(ServerTransactionFailure) in
            _ = try transaction.removeAuthorizationRows(expiredBefore: now, limit: 100)
        }
        try await fall(.locked, on: [])
        #expect(try await messages().map(\.destination) == ["shop"])
    }
}
