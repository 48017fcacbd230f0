import Octets
import ServerCore

/// Opener of sign-in pages, each in the browser that asks and in no other.
struct SignInPageOpener: Sendable {
    /// Sign-in pages that one address may open in the life of one.
    static let addressLimit = 200

    let settings: OpenIDSettings.Provider
    let transactions: any OpenIDTransactionRunner
    let clock: any WallClock
    let random: any RandomSource

    func open(
        _ parameters: AuthorizationParameters, _ browser: BrowserCookies, _ context: ClientContext
    ) async throws(OpenIDRefusal) -> AuthorizationAnswer {
        let cookie = Self.kept(browser.browser) ?? random.secret()
        let (now, settings) = (clock.now(), settings)
        let session = AuthorizationSession(
            id: AuthorizationSessionID(from: random), browser: BrowserHash(of: cookie.reveal().utf8),
            parameters: parameters, createdAt: now, expiresAt: now + settings.sessionLifetime)
        let key = AttemptKey(of: "authorize\0\(context.network)".utf8)
        let isOpened = try await transactions.transactionOrRefusal {
            transaction throws(ServerTransactionFailure) -> Bool in
            let attempts = try transaction.countAttempt(key, since: now - settings.sessionLifetime, at: now)
            let limit = settings.openSessionLimit
            guard attempts.count <= Self.addressLimit,
                try transaction.openAuthorizationSessionCount(after: now, limit: limit) < limit
            else { return false }
            try transaction.insert(session)
            return true
        }
        guard isOpened else {
            throw OpenIDRefusal(.temporarilyUnavailable, field: "client_id", retryAfter: 60)
        }
        return AuthorizationAnswer(
            .signIn(session.id), cookies: [(name: BrowserCookies.browserName, value: cookie, expiresAt: nil)])
    }

    /// The cookie of the browser, if the provider has made it: it has several pages open.
    private static func kept(_ cookie: Sensitive<String>?) -> Sensitive<String>? {
        guard let cookie, (try? Base64URL.decode(cookie.reveal()))?.count == 32 else { return nil }
        return cookie
    }
}
