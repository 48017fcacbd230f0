import OpenID
import ServerCore
import TestSupport
import Testing
import UAF

/// Rows of web sites that contracts put to a storage.
extension ContractStage {
    /// The client of every row.
    func shop() throws -> ClientID { try #require(ClientID("shop")) }

    /// A request of the client.
    func parameters() throws -> AuthorizationParameters {
        var parameters = AuthorizationParameters(
            client: try shop(), redirect: try #require(RedirectAddress("https://shop.example.com/back")),
            codeChallenge: random.bytes(count: 32))
        parameters.state = "state"
        parameters.prompts = [.login]
        return parameters
    }

    /// A sign-in page that is open.
    func page() throws -> AuthorizationSession {
        AuthorizationSession(
            id: AuthorizationSessionID(from: random), browser: BrowserHash(of: [1]), parameters: try parameters(),
            createdAt: now, expiresAt: now + .seconds(600), network: "2001:db8::/64")
    }

    /// A session of a browser of a user.
    func browser(of user: User, _ login: RequestAuthorization.Evidence? = nil) -> BrowserSession {
        BrowserSession(
            id: BrowserSessionID(from: random), cookie: ProviderCookieHash(of: random.bytes(count: 8)),
            userID: user.id, ceremony: CeremonyID(from: random), assurance: .chip, authenticatedAt: now,
            evidence: login ?? evidence, expiresAt: now + .seconds(900))
    }

    /// A grant of a user, perhaps in a session of a browser.
    func grant(
        of user: User, in session: BrowserSessionID? = nil, _ login: RequestAuthorization.Evidence? = nil
    ) throws -> Grant {
        Grant(
            stored: GrantID(from: random), client: try shop(), userID: user.id, session: session,
            scopes: [.openID, .offlineAccess], ceremony: CeremonyID(from: random), assurance: .chip,
            authenticatedAt: now, evidence: login ?? evidence, createdAt: now, expiresAt: now + .seconds(900))
    }

    /// A recovery of a user that a browser with this cookie shows.
    func recovery(of user: User, _ cookie: UInt8) -> Recovery {
        Recovery(
            userID: user.id, cookie: RecoveryCookieHash(of: [cookie]), code: nil, begunAt: now,
            opensAt: now + .seconds(3_600), expiresAt: now + .seconds(7_200), holdsSince: now)
    }

    /// A token of a grant.
    func token(of grant: Grant, _ kind: GrantToken.Kind) -> GrantToken {
        GrantToken(
            hash: GrantTokenHash(of: random.bytes(count: 8)), grant: grant.id, kind: kind,
            scopes: kind == .access ? [.openID] : grant.scopes, createdAt: now, expiresAt: now + .seconds(600))
    }

    /// A code of a grant.
    func code(of grant: Grant, withChallenge isSent: Bool = true) throws -> AuthorizationCode {
        AuthorizationCode(
            hash: AuthorizationCodeHash(of: random.bytes(count: 8)), grant: grant.id, client: try shop(),
            redirect: try parameters().redirect, codeChallenge: isSent ? random.bytes(count: 32) : nil,
            nonce: isSent ? "nonce" : nil, expiresAt: now + .seconds(60))
    }

    /// A request of CIBA about a user.
    func call(for user: User) throws -> BackchannelRequest {
        BackchannelRequest(
            id: BackchannelRequestHash(of: random.bytes(count: 8)), client: try shop(), userID: user.id,
            ceremony: CeremonyID(from: random), scopes: [.openID], assurance: [.chip, .key],
            sealedNotificationToken: [1, 2], createdAt: now, expiresAt: now + .seconds(180))
    }

    /// Evidence of a confirmation of `jeff`, of an operation of that name if one is given.
    func confirmation(of operation: CeremonyID? = nil) throws -> ReceiptEvidence {
        ReceiptEvidence(
            id: operation ?? CeremonyID(from: random), user: jeff, initiator: .client(try shop()),
            text: Array("10 EUR".utf8),
            credential: try credential().credential, assertion: [1], finalChallenge: [2], confirmedAt: now)
    }

    /// A message to a receiver, made so many seconds after the beginning.
    func message(
        to receiver: String = "shop", _ kind: OutgoingMessage.Kind = .webhook, after seconds: Int = 0
    ) -> OutgoingMessage {
        OutgoingMessage(
            id: OutgoingMessageID(from: random), kind: kind, destination: receiver, content: Array("{}".utf8),
            createdAt: now + .seconds(seconds))
    }

    /// An entry in the history of a user.
    func entry(of user: User, _ number: Int64) -> HistoryEntry {
        HistoryEntry(
            userID: user.id, kind: .signIn, at: now + .seconds(number), client: "Shop", device: nil, chainID: "test",
            sequence: number)
    }

    private var evidence: RequestAuthorization.Evidence {
        RequestAuthorization.Evidence(authenticatedAt: now, registrations: [RegistrationID(from: random)])
    }
}
