import Octets
import OpenID
import ServerCore
import StrictJSON
import TestSupport
import Testing
import UAFService

/// Endpoint of the provider at which something that was granted is used.
private enum Use: String, CaseIterable, Sendable {
    case code, refreshToken, poll, userInformation, introspection, silentSignIn, finish

    /// Time after which the right has expired by the default settings.
    var life: Duration {
        switch self {
        case .code: .seconds(60)
        case .poll: .seconds(120)
        case .userInformation, .introspection, .finish: .seconds(600)
        case .silentSignIn: .seconds(8 * 3_600)
        case .refreshToken: .seconds(15 * 86_400)
        }
    }
}

/// Way in which a right ends, or does not belong to the client that uses it.
private enum Ending: String, CaseIterable, Sendable {
    case none, otherClient, usedBefore, expired, grantEnded, strongerRegistered, strongerRemoved
}

/// Answer to a use.
private enum Answer: Hashable, Sendable {
    case granted
    /// `{"active":false}` (RFC 7662, 2.2).
    case inactive
    case refused(OpenIDRefusal.Code)
    /// No refusal of OpenID: the page says that the sign-in has ended.
    case ended
    /// The pair cannot occur.
    case impossible
}

/// The table of what ends where: a row for each endpoint, a column for each way to end; `EndsTableTests` has the blows.
///
/// What is granted without a check stands in it as `granted`, so that a gap is seen.
@Suite("A right that was used or revoked, has expired, is another client's or too weak, is refused at every endpoint")
struct EndedRightTests {
    private static let table: [Use: [Ending: Answer]] = [
        .code: [
            .none: .granted, .otherClient: .refused(.invalidGrant),
            .usedBefore: .refused(.invalidGrant), .expired: .refused(.invalidGrant), .grantEnded: .impossible,
            .strongerRegistered: .refused(.invalidGrant),
            .strongerRemoved: .refused(.invalidGrant),
        ],
        // The answer may be lost; later, or with a public client, it ends the grant (RefreshTests).
        .refreshToken: [
            .none: .granted, .otherClient: .refused(.invalidGrant),
            .usedBefore: .granted, .expired: .refused(.invalidGrant),
            .grantEnded: .refused(.invalidGrant),
            .strongerRegistered: .refused(.invalidGrant),
            .strongerRemoved: .refused(.invalidGrant),
        ],
        .poll: [
            .none: .granted, .otherClient: .refused(.invalidGrant),
            .usedBefore: .refused(.invalidGrant), .expired: .refused(.expiredToken), .grantEnded: .impossible,
            .strongerRegistered: .refused(.accessDenied),
            .strongerRemoved: .refused(.accessDenied),
        ],
        .userInformation: [
            .none: .granted, .otherClient: .impossible, .usedBefore: .granted,
            .expired: .refused(.invalidToken), .grantEnded: .refused(.invalidToken),
            .strongerRegistered: .refused(.invalidToken),
            .strongerRemoved: .refused(.invalidToken),
        ],
        .introspection: [
            .none: .granted, .otherClient: .inactive, .usedBefore: .granted,
            .expired: .inactive, .grantEnded: .inactive,
            .strongerRegistered: .inactive,
            .strongerRemoved: .inactive,
        ],
        // One session of the browser serves all clients, and outlives the grants in it.
        .silentSignIn: [
            .none: .granted, .otherClient: .granted, .usedBefore: .granted,
            .expired: .refused(.loginRequired), .grantEnded: .granted,
            .strongerRegistered: .refused(.loginRequired),
            .strongerRemoved: .refused(.loginRequired),
        ],
        .finish: [
            .none: .granted, .otherClient: .impossible, .usedBefore: .ended, .expired: .ended, .grantEnded: .impossible,
            .strongerRegistered: .refused(.unmetAuthenticationRequirements),
            .strongerRemoved: .refused(.unmetAuthenticationRequirements),
        ],
    ]

    private let fixture: ProviderFixture
    private let client: RegisteredClient

    init() async throws {
        fixture = try await ProviderFixture { $0.passkeys = OpenIDSettings.Passkeys() }
        var client = try ProviderFixture.client(
            "kept", .secret(ClientSecretHash(of: ProviderFixture.secret.utf8)), redirects: [ProviderFixture.back])
        client.attributeScopes = ScopeName.ofNewClients
        client.mayRefresh = true
        client.backchannel = .poll
        self.client = client
        #expect(try await administration.add(client))
    }

    private var administration: ClientAdministration {
        ClientAdministration(
            OpenIDServer(fixture.server.services, transactions: fixture.server.openID, settings: OpenIDSettings()))
    }

    @Test("Each endpoint answers as the table says", arguments: Use.allCases, Ending.allCases)
    fileprivate func table(use: Use, ending: Ending) async throws {
        let expected = try #require(Self.table[use]?[ending])
        guard expected != .impossible else { return }
        let right = try await right(to: use)
        if ending == .usedBefore { #expect(try await answer(right, by: "kept") == .granted) }
        try await end(use, by: ending)
        #expect(try await answer(right, by: ending == .otherClient ? "other" : "kept") == expected)
    }

    // MARK: - Rights

    /// Something that was granted, as the client or the browser holds it.
    private enum Right: Sendable {
        case code(Sensitive<String>)
        case refreshToken(Sensitive<String>)
        case poll(Sensitive<String>)
        case userInformation(Sensitive<String>)
        case introspection(Sensitive<String>)
        case silentSignIn(cookie: Sensitive<String>)
        case finish(AuthorizationSessionID, browser: Sensitive<String>)
    }

    private func right(to use: Use) async throws -> Right {
        let scopes = ["client_id": "kept", "scope": "openid offline_access"]
        switch use {
        case .code: return .code(Sensitive(try await code(scopes)))
        case .refreshToken: return .refreshToken(Sensitive(try await tokens(scopes).string("refresh_token")))
        case .userInformation: return .userInformation(Sensitive(try await tokens(scopes).string("access_token")))
        case .introspection: return .introspection(Sensitive(try await tokens(scopes).string("access_token")))
        case .poll: return .poll(Sensitive(try await confirmedRequest()))
        case .silentSignIn:
            let answer = try await fixture.signIn(["client_id": "kept"], assurance: .key)
            return .silentSignIn(cookie: Sensitive(try #require(answer.cookie(BrowserCookies.providerName))))
        case .finish:
            let (entry, browser) = try await fixture.open(["client_id": "kept"])
            let begun = try await fixture.services.starter.begin(.code, in: entry, client: ClientContext())
            try await fixture.confirm(begun, assurance: .key)
            return .finish(entry.session.id, browser: Sensitive(browser))
        }
    }

    private func tokens(_ changes: [String: String?]) async throws -> JSONObject {
        try await fixture.exchange(try await code(changes), client: "kept")
    }

    private func code(_ changes: [String: String?]) async throws -> String {
        try #require(try await fixture.signIn(changes, assurance: .key).query["code"])
    }

    /// `auth_req_id` of a CIBA request that the phone has confirmed.
    private func confirmedRequest() async throws -> String {
        let begun = try await fixture.confirmations.begin(
            ConfirmationOrder(initiator: .client(client.id), channel: .push(fixture.user, nil)),
            client: ClientContext())
        try await fixture.confirm(begun, assurance: .key)
        let octets = fixture.server.random.bytes(count: 32)
        let now = fixture.server.clock.now()
        let request = BackchannelRequest(
            id: BackchannelRequestHash(of: octets), client: client.id, userID: fixture.user.id, ceremony: begun.id,
            scopes: [.openID], assurance: [], sealedNotificationToken: nil, createdAt: now,
            expiresAt: now + .seconds(120))
        try await fixture.server.openID.transaction { transaction throws(ServerTransactionFailure) in
            try transaction.insert(request)
        }
        return Base64URL.encode(octets)
    }

    // MARK: - Endings

    private func end(_ use: Use, by ending: Ending) async throws {
        switch ending {
        case .none, .otherClient, .usedBefore: break
        case .expired: fixture.server.clock.advance(by: use.life)
        case .grantEnded:
            let (ids, now) = (try await grants().map(\.id), fixture.server.clock.now())
            _ = try await fixture.server.openID.transaction { transaction throws(ServerTransactionFailure) in
                try transaction.endGrants(ids, at: now)
            }
        case .strongerRegistered: try await fixture.protectKeys(as: .chip)
        case .strongerRemoved:
            let (user, now) = (fixture.user.id, fixture.server.clock.now())
            try await fixture.server.openID.transaction { transaction throws(ServerTransactionFailure) in
                try transaction.noteRemoval(of: .chip, by: user, at: now)
            }
        }
    }

    private func grants() async throws -> [Grant] {
        let user = fixture.user.id
        return try await fixture.server.openID.read { snapshot throws(ServerTransactionFailure) in
            try snapshot.grants(of: user)
        }
    }

    // MARK: - Answers

    private func answer(_ right: Right, by name: String) async throws -> Answer {
        do {
            switch right {
            case .code(let code): _ = try await fixture.exchange(code.reveal(), client: name)
            case .refreshToken(let token): _ = try await fixture.refresh(token.reveal(), client: name)
            case .poll(let id):
                let fields = ["grant_type": "urn:openid:params:grant-type:ciba", "auth_req_id": id.reveal()]
                _ = try await fixture.tokens(try fixture.clientRequest(fields, client: name))
            case .userInformation(let token):
                _ = try await fixture.userInformation(token.reveal())
            case .introspection(let token):
                let state = try await fixture.introspect(token.reveal(), client: name)
                return state["active"] == .bool(true) ? .granted : .inactive
            case .silentSignIn(let cookie): return try await signIn(cookie, name)
            case .finish(let id, let browser): return try await finish(id, browser)
            }
            return .granted
        } catch let refusal as OpenIDRefusal {
            return .refused(refusal.code)
        }
    }

    private func signIn(_ cookie: Sensitive<String>, _ name: String) async throws -> Answer {
        var changes: [String: String?] = ["client_id": name, "prompt": "none", "scope": "openid"]
        if name == "other" { changes["redirect_uri"] = "https://other.example.com/back" }
        let answer = try await fixture.authorize(changes, provider: cookie.reveal())
        if answer.query["code"] != nil { return .granted }
        return .refused(try #require(answer.query["error"].flatMap(OpenIDRefusal.Code.init(rawValue:))))
    }

    private func finish(_ id: AuthorizationSessionID, _ browser: Sensitive<String>) async throws -> Answer {
        let cookies = ProviderFixture.cookies(browser: browser.reveal())
        guard let entry = try await fixture.services.signIns.session(id, browser: cookies) else { return .ended }
        do throws(ServerError) {
            let answer = try await fixture.services.signIns.finish(entry, client: ClientContext())
            if let error = answer.query["error"].flatMap(OpenIDRefusal.Code.init(rawValue:)) { return .refused(error) }
            return answer.query["code"] == nil ? .ended : .granted
        } catch {
            return .ended
        }
    }
}
