import Octets
import ServerCore

/// Opener of sign-in pages, each in the browser that asks and in no other.
struct SignInPageOpener: Sendable {
    let settings: OpenIDSettings.Provider
    let transactions: any OpenIDTransactionRunner
    let clock: any WallClock
    let random: any RandomSource
    let bound: OpenRequestBound

    func open(
        _ parameters: AuthorizationParameters, _ browser: BrowserCookies, _ context: ClientContext
    ) async throws(OpenIDRefusal) -> AuthorizationAnswer {
        let cookie = Self.kept(browser.browser) ?? random.secret()
        let now = clock.now()
        let session = AuthorizationSession(
            id: AuthorizationSessionID(from: random), browser: BrowserHash(of: cookie.reveal().utf8),
            parameters: parameters, createdAt: now, expiresAt: now + settings.sessionLifetime,
            network: context.network)
        try await bound.makeRoom()
        try await transactions.transactionOrRefusal { transaction throws(ServerTransactionFailure) -> Void in
            try transaction.insert(session)
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
