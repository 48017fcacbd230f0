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

    /// Begins a session of a user who authenticated at `time`, and returns its cookie.
    ///
    /// Throws ``ServerError/unauthorized`` when the user is locked or the logins of that time have been ended.
    package func begin(
        for user: User, method: AuthenticationMethod, authenticatedAt time: Timestamp, event: AuditEvent
    ) async throws(ServerError) -> SessionCookie {
        let (cookie, session) = draft(
            for: user.id, method: method, evidence: RequestAuthorization.Evidence(authenticatedAt: time))
        try await sessions.add(session, event: event)
        return cookie
    }

    /// What the holder of a cookie may do; nil when the session has ended, what it rests on does not hold any more, or
    /// its user is locked.
    package func grant(forCookie value: String) async throws(ServerError) -> RequestAuthorization.Grant? {
        guard let owned = try await sessions.session(SessionCookie.hash(ofValue: value)),
            owned.session.createdAt <= clock.now(), clock.now() < owned.session.expiresAt,
            owned.session.method != .fidoUAF || !owned.session.evidence.registrations.isEmpty,
            owned.session.evidence.isTimely(for: owned.user)
        else { return nil }
        return RequestAuthorization.Grant(
            user: owned.user, methods: [owned.session.method], evidence: owned.session.evidence,
            session: owned.session.cookieHash)
    }

    /// Ends the session of a cookie; a cookie without a session costs one read and nothing else.
    package func end(cookie value: String, client: ClientContext) async throws(ServerError) {
        let hash = SessionCookie.hash(ofValue: value)
        guard let owned = try await sessions.session(hash) else { return }
        var event = AuditEvent(.sessionEnded, at: clock.now(), userID: owned.user.id, client: client)
        event.username = owned.user.name
        try await sessions.remove(hash, event: event)
    }

    /// Forgets some `limit` sessions that have ended, and returns how many.
    package func purge(limit: Int) async throws(ServerError) -> Int {
        try await sessions.purge(before: clock.now(), limit: limit)
    }

    /// A new cookie with the session it stands for, which the caller stores.
    func draft(
        for user: UserID, method: AuthenticationMethod, evidence: RequestAuthorization.Evidence
    ) -> (cookie: SessionCookie, session: Session) {
        let now = clock.now()
        let cookie = SessionCookie(from: random, expiresAt: now + settings.lifetime)
        let session = Session(
            cookieHash: cookie.hash, userID: user, method: method, evidence: evidence, createdAt: now,
            expiresAt: now + settings.lifetime)
        return (cookie, session)
    }

    /// A cookie that ties an answer to its request; nothing is stored.
    func bindingCookie() -> SessionCookie { SessionCookie(from: random, expiresAt: nil) }
}
