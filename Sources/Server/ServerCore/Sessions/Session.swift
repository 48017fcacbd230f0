import Octets

/// Login sessions that a cookie stands for.
package struct SessionService: Sendable {
    private let storage: Storage
    private let settings: SessionSettings
    private let clock: any WallClock
    private let random: any RandomSource

    package init(
        storage: Storage, settings: SessionSettings, clock: any WallClock, random: any RandomSource
    ) {
        self.storage = storage
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
        let isBegun = try await storage.transaction { transaction throws(ServerTransactionFailure) in
            guard let owner = try transaction.user(session.userID), try transaction.holds(session.evidence, of: owner)
            else { return false }
            try transaction.insert(session)
            try transaction.append(event)
            return true
        }
        guard isBegun else { throw .unauthorized }
        return cookie
    }

    /// Login of the holder of a cookie; nil when the session has ended, the proof behind it does not hold any more, or
    /// its user is locked.
    package func grant(forCookie value: String) async throws(ServerError) -> RequestAuthorization.Login? {
        guard let owned = try await storage.sessions.session(SessionCookie.hash(ofValue: value)),
            owned.session.createdAt <= clock.now(), clock.now() < owned.session.expiresAt,
            owned.session.method != .fidoUAF || !owned.session.evidence.registrations.isEmpty,
            owned.session.evidence.isTimely(for: owned.user)
        else { return nil }
        return RequestAuthorization.Login(
            user: owned.user, methods: [owned.session.method], evidence: owned.session.evidence,
            session: owned.session.cookieHash)
    }

    /// Ends the session of a cookie; a cookie without a session costs one read and nothing else.
    package func end(cookie value: String, client: ClientContext) async throws(ServerError) {
        let hash = SessionCookie.hash(ofValue: value)
        guard let owned = try await storage.sessions.session(hash), owned.session.evidence.isTimely(for: owned.user)
        else { return }
        let event = AuditEvent(.sessionEnded, at: clock.now(), client: client).about(owned.user)
        try await storage.sessions.remove(hash, event: event)
    }

    /// Forgets some `limit` sessions that have ended, and returns how many.
    package func purge(limit: Int) async throws(ServerError) -> Int {
        try await storage.sessions.purge(before: clock.now(), limit: limit)
    }

    /// A new cookie with the session it stands for, which the caller stores.
    package func draft(
        for user: UserID, method: AuthenticationMethod, evidence: RequestAuthorization.Evidence
    ) -> (cookie: SessionCookie, session: Session) {
        let now = clock.now()
        let cookie = SessionCookie(at: now, from: random, expiresAt: now + settings.lifetime)
        let session = Session(
            cookieHash: cookie.hash, userID: user, method: method, evidence: evidence, createdAt: now,
            expiresAt: now + settings.lifetime)
        return (cookie, session)
    }

    /// A cookie that ties an answer to its request; nothing is stored.
    package func bindingCookie() -> SessionCookie { SessionCookie(at: clock.now(), from: random, expiresAt: nil) }
}

/// A login session that a cookie stands for.
package struct Session: Sendable, Hashable {
    /// Hash of the cookie's value (``SessionCookie/hash``); the value itself is nowhere stored.
    package let cookieHash: CookieHash
    package let userID: UserID
    package let method: AuthenticationMethod
    package let evidence: RequestAuthorization.Evidence
    package let createdAt: Timestamp
    /// End of the session, used or not.
    package let expiresAt: Timestamp

    package init(
        cookieHash: CookieHash, userID: UserID, method: AuthenticationMethod,
        evidence: RequestAuthorization.Evidence, createdAt: Timestamp, expiresAt: Timestamp
    ) {
        self.cookieHash = cookieHash
        self.userID = userID
        self.method = method
        self.evidence = evidence
        self.createdAt = createdAt
        self.expiresAt = expiresAt
    }
}

/// The value of a session cookie, in the form that is sent to the client: six octets of its time in milliseconds, and 26
/// random ones.
///
/// The hash that is stored begins with the time, too: sessions stand in the order in which they begin, and new ones are
/// neighbours in the database. The 208 random bits make it unguessable.
package struct SessionCookie: Sendable {
    package static let byteCount = 32
    private static let timeByteCount = 6

    /// Value that is sent to the client, unpadded base64url.
    package var value: String { sensitiveValue.reveal() }
    private let sensitiveValue: Sensitive<String>
    /// Expiry at the client; nil for a cookie that only ties a response to its request.
    package let expiresAt: Timestamp?

    package init(at time: Timestamp, from random: some RandomSource, expiresAt: Timestamp?) {
        let drawn = random.bytes(count: Self.byteCount - Self.timeByteCount)
        sensitiveValue = Sensitive(Base64URL.encode(time.bigEndianOctets(count: Self.timeByteCount) + drawn))
        self.expiresAt = expiresAt
    }

    /// Hash that the server stores instead of the value.
    package var hash: CookieHash { Self.hash(ofValue: value) }

    /// Hash under which the server finds a value that a client sent: its time, and the beginning of the SHA-256 of its
    /// text; for a text that is no value, all of that.
    package static func hash(ofValue value: String) -> CookieHash {
        let hash = CookieHash(of: value.utf8)
        guard let octets = try? Base64URL.decode(value), octets.count == byteCount else { return hash }
        return CookieHash(stored: octets.prefix(timeByteCount) + hash.octets.prefix(byteCount - timeByteCount)) ?? hash
    }
}

/// The login sessions.
package protocol SessionRepository: Sendable {
    /// The session of a cookie with its owner, expired or not.
    ///
    /// Nil also for a session that was made with registrations of which none is an active credential of the owner.
    func session(_ cookieHash: CookieHash) async throws(ServerError) -> OwnedSession?

    /// Ends a session; no session is no error and no record.
    func remove(_ cookieHash: CookieHash, event: AuditEvent) async throws(ServerError)

    /// Forgets some `limit` sessions that ended before `time`, and returns how many.
    func purge(before time: Timestamp, limit: Int) async throws(ServerError) -> Int
}

/// Login sessions held by cookies.
package struct SessionSettings: Sendable, Hashable {
    /// Whether a successful authentication begins a session; a token is given out in any case.
    package var isEnabled = true
    /// Name of the cookie; `__Host-` makes browsers insist on `Secure` and `Path=/`.
    package var cookieName = "__Host-signet"
    /// Name of the cookie that ties an answer to its request; a separate name, so that asking for a login never
    /// replaces the current login.
    package var bindingCookieName: String { cookieName + "-request" }
    /// Name of the cookie of a browser in which a user has logged in with the password.
    package var knownCookieName: String { cookieName + "-known" }
    /// Time from login to the end of the session.
    package var lifetime: Duration = .seconds(900)

    package init() {}
}
