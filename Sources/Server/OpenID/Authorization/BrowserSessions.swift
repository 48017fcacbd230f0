import Octets
import ServerCore
import UAF

/// Sessions of browsers at the provider, judged at each use.
struct BrowserSessions: Sendable {
    let settings: OpenIDSettings.Provider
    let transactions: any OpenIDTransactionRunner
    let clock: any WallClock
    let wall: any WallClock
    let random: any RandomSource

    /// Session that holds, with its user.
    struct Active: Sendable {
        let session: BrowserSession
        let user: User
        /// Time since the authentication that the session rests on.
        let age: Duration

        /// The confirmation that the session began with; a later request is answered from it.
        var confirmation: Confirmation {
            Confirmation(
                id: session.ceremony, user: user, authenticatedAt: session.authenticatedAt,
                evidence: session.evidence, assurance: session.assurance, text: nil)
        }

        /// Whether a request can be answered without asking the phone (OpenID Connect Core 1.0, 3.1.2.1 and 3.1.2.3).
        func isEnough(for parameters: AuthorizationParameters) -> Bool {
            guard parameters.text == nil, parameters.prompts.isSubset(of: [.none]) else { return false }
            if let limit = parameters.maximumAge, age > limit { return false }
            if let least = parameters.assurance.min(), session.assurance < least { return false }
            guard let hint = parameters.loginHint else { return true }
            return hint.hasSameOctets(as: user.name.text) || hint.hasSameOctets(as: user.externalID.text)
        }
    }

    /// The session of a browser; nil as for ``admitted(_:)``, and when the browser does not show what it is bound to.
    func active(_ browser: BrowserCookies) async throws(OpenIDRefusal) -> Active? {
        guard let active = try await admitted(browser.provider),
            active.session.binding.isShown(by: browser, at: clock.now())
        else { return nil }
        return active
    }

    /// The session of a cookie; nil when it has ended, or what it rests on does not hold any more.
    func admitted(_ cookie: Sensitive<String>?) async throws(OpenIDRefusal) -> Active? {
        guard let cookie else { return nil }
        let hash = ProviderCookieHash(of: cookie.reveal().utf8)
        let (now, timeOfDay, wait) = (clock.now(), wall.now(), settings.removalWait)
        return try await transactions.readOrRefusal { snapshot throws(ServerTransactionFailure) -> Active? in
            guard let session = try snapshot.browserSession(hash), now < session.expiresAt,
                let user = try snapshot.user(session.userID),
                try snapshot.admission(by: session, of: user, at: now, wait: wait) == .granted
            else { return nil }
            return Active(session: session, user: user, age: timeOfDay - session.authenticatedAt)
        }
    }

    /// The session of a cookie with its user, whether it holds or not.
    func known(_ cookie: ProviderCookieHash) async throws(ServerError) -> (session: BrowserSession, user: User)? {
        try await transactions.read { snapshot throws(ServerTransactionFailure) in
            guard let session = try snapshot.browserSession(cookie), let user = try snapshot.user(session.userID)
            else { return nil }
            return (session, user)
        }
    }

    /// Session of a confirmation with its new cookie, under the name of the one that goes on; nil where browsers have none.
    func draft(
        _ confirmation: Confirmation, continuing known: BrowserSessionID?
    ) -> (session: BrowserSession, cookie: Sensitive<String>)? {
        guard settings.browserSessionLifetime > .zero else { return nil }
        let cookie = random.secret()
        let session = BrowserSession(
            id: known ?? BrowserSessionID(from: random), cookie: ProviderCookieHash(of: cookie.reveal().utf8),
            userID: confirmation.user.id, ceremony: confirmation.id, assurance: confirmation.assurance,
            authenticatedAt: confirmation.authenticatedAt, evidence: confirmation.evidence,
            expiresAt: clock.now() + settings.browserSessionLifetime)
        return (session: session, cookie: cookie)
    }
}
