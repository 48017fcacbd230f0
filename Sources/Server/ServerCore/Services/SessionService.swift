/// Login sessions that a cookie stands for.
package struct SessionService: Sendable {
    private let sessions: any SessionRepository
    private let settings: SessionSettings
    private let clock: any WallClock
    private let random: any RandomSource

    /// Uses the sessions in `sessions`.
    package init(
        sessions: any SessionRepository, settings: SessionSettings, clock: any WallClock, random: any RandomSource
    ) {
        self.sessions = sessions
        self.settings = settings
        self.clock = clock
        self.random = random
    }

    /// Begins a session and returns its cookie; throws ``ServerError/unauthorized`` when the user is locked.
    package func begin(
        for user: User, method: AuthenticationMethod, event: AuditEvent
    ) async throws(ServerError) -> SessionCookie {
        let (cookie, session) = draft(for: user.id, method: method)
        try await sessions.add(session, event: event)
        return cookie
    }

    /// What the holder of a cookie may do; nil when the session has ended or its user is locked.
    package func grant(forCookie value: String) async throws(ServerError) -> RequestAuthorization.Grant? {
        guard let owned = try await sessions.session(SessionCookie.hash(ofValue: value)),
            owned.session.createdAt <= clock.now(), clock.now() < owned.session.expiresAt, owned.user.status == .active
        else { return nil }
        return RequestAuthorization.Grant(user: owned.user, methods: [owned.session.method])
    }

    /// Ends the session of a cookie.
    package func end(cookie value: String) async throws(ServerError) {
        try await sessions.remove(SessionCookie.hash(ofValue: value))
    }

    /// Forgets some `limit` sessions that have ended, and returns how many.
    package func purge(limit: Int) async throws(ServerError) -> Int {
        try await sessions.purge(before: clock.now(), limit: limit)
    }

    /// A new cookie with the session it stands for, which the caller stores.
    func draft(for user: UserID, method: AuthenticationMethod) -> (cookie: SessionCookie, session: Session) {
        let now = clock.now()
        let cookie = SessionCookie(from: random, expiresAt: now + settings.lifetime)
        let session = Session(
            cookieHash: cookie.hash, userID: user, method: method, createdAt: now, expiresAt: now + settings.lifetime)
        return (cookie, session)
    }

    /// A cookie that ties an answer to its request; nothing is stored.
    func bindingCookie() -> SessionCookie { SessionCookie(from: random, expiresAt: nil) }
}
